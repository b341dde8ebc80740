export { registerDevice } from "./register-device.ts";

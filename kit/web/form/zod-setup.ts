import { config } from "zod";

// zod would try to compile its checks with `new Function`, which the content security policy refuses.
config({ jitless: true });

// The pure rules, for the model that walks those of all rooms together.
export {
  backPoints,
  backToLots,
  clawPoints,
  drawLots,
  drawPoints,
  type Drawn,
  graceUntil,
  payOff,
  type PointsDrawn,
} from "../draw-rules.ts";

/**
 * A reading thread that reads as any other, but for two kinds of orders gets stuck before it looks
 * at them: as by a fault of a library, or by a file system that does not answer.
 */
import "./stuck-orders.js";
import "../../src/zarr/worker/worker.js";

/** A service that npm runs ends with npm, also where no signal of npm's comes here. */
/** Milliseconds between two looks whether who started this process is still there. */
const LOOK = 500;

/**
 * Sends this process SIGTERM when its parent has ended, if it was started by `npm start` or npx. A shell between them
 * and this process ends on a signal without a word to it, and npm may be killed. Whoever starts the service otherwise
 * may well leave it alone.
 */
export function endWithNpm(env = process.env): void {
  const { npm_lifecycle_event: event, npm_package_name: name } = env;
  if (event !== "npx" && !(event === "start" && name === "climate-nextgen")) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK);
  timer.unref();
}

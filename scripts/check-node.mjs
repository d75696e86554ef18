/** Ends the process if this Node is too old. Imported before anything else, as nothing else makes sense then. */

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 15)) {
  console.error(`Node 20.15 or newer is needed, but this is ${process.version}.`);
  process.exit(1);
}

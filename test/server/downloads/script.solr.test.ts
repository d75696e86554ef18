/** The download script in the shells of most machines. */
import { isQuick, testScript } from "./script-tests.js";

await testScript(isQuick);

/** The download script in all other shells, BusyBox among them. */
import { isQuick, testScript } from "./script-tests.js";

await testScript((shell) => !isQuick(shell));

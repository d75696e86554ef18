/** npm run attack: the attacks of test/attack at full length, as npm test runs them in a short form. */
process.env.ATTACK = "full";
process.argv.splice(2, 0, "test/attack");
await import("./test.mjs");

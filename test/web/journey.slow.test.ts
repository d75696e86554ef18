/** By keyboard, hundreds of keys are pressed; `journey.browser.test.ts` goes the same way by pointer. */
import { testJourneyBy } from "../support/page/journey.js";

testJourneyBy("keyboard", "names");

import { testJourneyBy } from "../support/page/journey.js";

testJourneyBy("pointer");

/** The period that a requirement has to cover. */
import { DraftFields } from "../parts/draft-fields.js";
import { words } from "../words/complete.js";

interface Ends {
  readonly from: string;
  readonly to: string;
}

interface Props {
  readonly ends: Ends;
  readonly take: (ends: Ends) => void;
}

export const PeriodFields = ({ ends, take }: Props) => (
  <DraftFields
    held={ends}
    labels={{ from: words.from, to: words.to }}
    size={10}
    hint={words.periodHint}
    take={(texts) => {
      take(texts);
      return true;
    }}
  />
);

import { Screen } from '../Screen.tsx';
import { T } from '../T.tsx';
import { Buttons, Filters } from './Buttons.tsx';
import { Dialogs, Notes } from './Dialogs.tsx';
import { FormParts } from './FormParts.tsx';
import { ListAtLeft, ListParts, WaitingLists } from './ListParts.tsx';
import { Events, Pictures } from './Pictures.tsx';
import { Colours, States, Type } from './Tokens.tsx';
import './KitPage.css';

/** Shows the tokens and every part of the kit in its states, with made-up data; calls nothing. */
export function KitPage() {
  return (
    <Screen title="kit.title" lead={<T k="kit.lead" />}>
      <States />
      <Colours />
      <div className="kit-columns">
        <Type />
        <Buttons />
        <Filters />
        <Notes />
      </div>
      <ListParts />
      <ListAtLeft />
      <WaitingLists />
      <div className="kit-columns">
        <FormParts />
        <div>
          <Dialogs />
          <Pictures />
          <Events />
        </div>
      </div>
    </Screen>
  );
}

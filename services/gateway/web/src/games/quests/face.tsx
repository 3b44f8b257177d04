// face.tsx: quests as the page shows it.
import type { Command, Event, View } from '../../generated/quests';
import { both } from '../../words/say';
import type { Choices } from '../../proto/legal';
import type { OwnFace, Names } from '../face';
import { Board } from './board';
import { cardName } from './cards';
import { outcome } from './outcome';
import { sentence } from './words';
import './quests.css';

function deed(command: Command): string {
    const card = (one: { card?: string } | undefined) => cardName(one?.card);
    if (command.sponsor)
        return both(
            command.sponsor.yes ? ['Sponsor the quest', 'Quest ausrichten'] : ['Do not sponsor', 'Nicht ausrichten'],
        );
    if (command.stage_add)
        return both(['Add {c} to the stage', '{c} in die Stufe legen'], { c: card(command.stage_add) });
    if (command.stage_done) return both(['The stage is ready', 'Die Stufe ist fertig']);
    if (command.stage_clear) return both(['Take this stage back', 'Diese Stufe zurücknehmen']);
    if (command.quest_restart) return both(['Build the quest anew', 'Quest neu bauen']);
    if (command.participate)
        return both(command.participate.yes ? ['Tackle the stage', 'Die Stufe angehen'] : ['Withdraw', 'Aussteigen']);
    if (command.attack_add) return both(['Attack with {c}', 'Mit {c} angreifen'], { c: card(command.attack_add) });
    if (command.attack_done) return both(['The attack is ready', 'Der Angriff steht']);
    if (command.discard) return both(['Discard {c}', '{c} ablegen'], { c: card(command.discard) });
    return both(['End the turn', 'Zug beenden']);
}

const ASKED: Record<string, [string, string]> = {
    PHASE_SPONSOR: ['whether to sponsor the quest', 'ob die Quest ausgerichtet wird'],
    PHASE_BUILD: ['to build the next stage', 'die nächste Stufe zu bauen'],
    PHASE_PARTICIPATE: ['whether to tackle the stage', 'ob die Stufe angegangen wird'],
    PHASE_ATTACK: ['to set up an attack', 'einen Angriff aufzustellen'],
    PHASE_DISCARD: ['to discard {n} {n|card|cards}', '{n} {n|Karte|Karten} abzulegen'],
    PHASE_END_TURN: ['to end the turn', 'den Zug zu beenden'],
};
const YOURS: Record<string, [string, string]> = {
    PHASE_SPONSOR: ['Will you sponsor the quest?', 'Richtest du die Quest aus?'],
    PHASE_BUILD: ['Build the next stage', 'Baue die nächste Stufe'],
    PHASE_PARTICIPATE: ['Will you tackle the stage?', 'Gehst du die Stufe an?'],
    PHASE_ATTACK: ['Set up your attack', 'Stelle deinen Angriff auf'],
    PHASE_DISCARD: ['Too many cards: discard {n} more', 'Zu viele Karten: lege noch {n} ab'],
    PHASE_END_TURN: ['End your turn', 'Beende deinen Zug'],
};

// The view says how many cards a player holds, and the set-up how many he may keep.
function toDiscard(view: View, names: Names): number {
    const held = view.players?.find((player) => player.id === view.pending?.player)?.hand_count ?? 0;
    return held - Number(names.setup?.hand_limit ?? 12);
}

function asked(view: View, names: Names): string | null {
    const kind = view.pending?.kind;
    if (!kind) return null;
    const n = toDiscard(view, names);
    if (view.pending?.player === names.seat && names.seat !== undefined) return both(YOURS[kind] ?? ['', ''], { n });
    return both(['{name} is asked {what}', '{name} ist gefragt, {what}'], {
        name: names.name(view.pending?.player),
        what: both(ASKED[kind] ?? ['', ''], { n }),
    });
}

// An attack of nothing is always beaten.
function doubt(command: Command, view: View, seat: number | undefined, choices: Choices): string | null {
    const laid = view.quest?.attacks?.find((one) => one.player === seat)?.count ?? 0;
    if (!command.attack_done || laid > 0 || !choices.has('attack_add')) return null;
    return both(['You attack with nothing, and will be out.', 'Du greifst mit nichts an und scheidest aus.']);
}

export const face: OwnFace = {
    Board,
    outcome,
    asked,
    doubt: (command, view, names, choices) => doubt(command as Command, view as View, names.seat, choices),
    isSecret: true,
    winners: (view) => ((view as View).winners?.length ? (view as View).winners! : null),
    sentence: (event, names) => sentence(event as Event, names),
    deed: (command) => deed(command as Command),
    mark: (event) => (event['turn_started'] ? both(['Turn {n}', 'Zug {n}'], { n: event['turn_started'].turn }) : null),
    isLoud: (event) => !!(event['event_card'] || event['stage_resolved'] || event['quest_ended'] || event['game_over']),
};

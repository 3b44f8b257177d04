// face.tsx: the dead as the page shows it.
import type { Command, Event, View } from '../../generated/dead';
import { both, t } from '../../words/say';
import type { Choices } from '../../proto/legal';
import type { OwnFace, Names } from '../face';
import { Board } from './board';
import { deed } from './deeds';
import { Lore } from './lore';
import { roundNumber, sentence } from './words';
import './dead.css';
import './head.css';

function asked(view: View, names: Names): string | null {
    if (view.player === undefined) return null;
    if (view.player !== names.seat) return t('turn_of', { name: names.name(view.player) });
    return view.phase === 'PREPARATION'
        ? both(['Choose two people', 'Wähle zwei Leute'])
        : view.phase === 'VOTE'
          ? both(['Vote', 'Stimme ab'])
          : t('your_turn');
}

// What takes a die.
const TAKES_A_DIE = ['attack', 'search', 'barricade', 'use_ability'];

function doubt(command: Command, view: View, seat: number | undefined, choices: Choices): string | null {
    if (command.leave)
        return both([
            'You leave the match for good, and your people die.',
            'Du verlässt die Partie für immer, und deine Leute sterben.',
        ]);
    const dice = view.seats?.find((one) => one.player === seat)?.dice?.length ?? 0;
    if (!command.end_turn || dice === 0 || !TAKES_A_DIE.some((kind) => choices.has(kind))) return null;
    return both(['You still have {n} {n|die|dice} to use.', 'Du hast noch {n} {n|Würfel|Würfel} übrig.'], { n: dice });
}

export const face: OwnFace = {
    Board,
    sentence: (event, names) => sentence(event as Event, names),
    deed: (command, names) => deed(command as Command, new Lore(names)),
    asked: (view, names) => asked(view as View, names),
    doubt: (command, view, names, choices) => doubt(command as Command, view as View, names.seat, choices),
    winners: (view) =>
        (view as View).win === undefined
            ? null
            : (view as View).win
              ? ((view as View).seats ?? []).map((_, n) => n)
              : [],
    mark: (event, names) =>
        event['next_round']
            ? t('round_n', { n: roundNumber(event['next_round'].round, new Lore(names)) })
            : event['colony_phase_started']
              ? both(['Night', 'Nacht'])
              : null,
    isLoud: (event) =>
        ['bitten', 'survivor_killed', 'moral_changed', 'crossroad', 'next_round', 'game_end'].some(
            (kind) => event[kind],
        ),
};

// face.tsx: objectron as the page shows it.
import type { Command } from '../../generated/objectron';
import { both, t } from '../../words/say';
import type { OwnFace } from '../face';
import { Board } from './board';
import { wayWords } from './grid';
import { outcome } from './outcome';
import { sentence } from './words';
import './objectron.css';

function deed(command: Command): string {
    if (command.move) return both(['Move {d}', 'Zieh {d}'], { d: wayWords(command.move.dir) });
    if (command.pick_up) return both(['Pick up item {i}', 'Gegenstand {i} aufheben'], { i: command.pick_up.item });
    if (command.use)
        return both(['Use item {i} {d}', 'Gegenstand {i} benutzen {d}'], {
            i: command.use.item,
            d: wayWords(command.use.dir),
        });
    if (command.end_turn && !command.end_turn.confirm)
        return both(['End the turn? Only ask', 'Zug beenden? Nur fragen']);
    if (command.resign) return both(['Resign', 'Aufgeben']);
    return both(['End the turn', 'Zug beenden']);
}

export const face: OwnFace = {
    Board,
    outcome,
    sentence,
    deed: (command) => deed(command as Command),
    winners: (view) => (view['over'] && view['winner'] !== undefined ? [view['winner'] as number] : null),
    asked: (view, names) =>
        view['over'] || view['current_player'] === undefined
            ? null
            : view['current_player'] === names.seat
              ? both(['Your turn: {n} {n|action|actions} left', 'Du bist dran: noch {n} {n|Aktion|Aktionen}'], {
                    n: view['actions_left'] ?? 0,
                })
              : t('turn_of', { name: names.name(view['current_player']) }),
    mark: (event) => (event['turn_started'] ? t('turn_n', { n: event['turn_started'].turn }) : null),
    isLoud: (event) =>
        ['grenade_exploded', 'player_hit', 'flag_captured', 'player_eliminated', 'game_over', 'power_failed'].some(
            (kind) => event[kind],
        ),
};

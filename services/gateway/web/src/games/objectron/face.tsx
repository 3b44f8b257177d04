// face.tsx: objectron as the page shows it.
import type { Command } from '../../generated/objectron';
import { both, t } from '../../words/say';
import type { Face } from '../face';
import { Board } from './board';
import { wayWords } from './grid';
import { reasons } from './reasons';
import { sentence } from './words';
import './objectron.css';

function deed(command: Command): string {
    if (command.move) return both(['Move {d}', 'Zieh {d}'], { d: wayWords(command.move.dir) });
    if (command.pick_up) return both(['Pick up item {i}', 'Gegenstand {i} aufheben'], { i: command.pick_up.item });
    if (command.use) return both(['Use item {i} {d}', 'Gegenstand {i} benutzen {d}'], { i: command.use.item, d: wayWords(command.use.dir) });
    if (command.end_turn && !command.end_turn.confirm) return both(['End the turn? Only ask', 'Zug beenden? Nur fragen']);
    if (command.resign) return both(['Resign', 'Aufgeben']);
    return both(['End the turn', 'Zug beenden']);
}

export const face: Face = {
    Board, sentence, reasons,
    deed: (command) => deed(command as Command),
    winners: (view) => (view['over'] && view['winner'] !== undefined ? [view['winner'] as number] : null),
    asked: (view, names) => (view['over'] || view['current_player'] === undefined ? null : view['current_player'] === names.seat
        ? both(['Your turn: {n} {n|action|actions} left', 'Du bist dran: noch {n} {n|Aktion|Aktionen}'], { n: view['actions_left'] ?? 0 }) : t('turn_of', { name: names.name(view['current_player']) })),
    mark: (event) => (event['turn_started'] ? t('turn_n', { n: event['turn_started'].turn }) : null),
    isLoud: (event) => ['grenade_exploded', 'player_hit', 'flag_captured', 'player_eliminated', 'game_over', 'power_failed'].some((kind) => event[kind]),
    rules: [
        ['In a race, the first on the other’s start wins. In capture the flag, whoever has brought home the flag of everybody else.', 'Im Rennen gewinnt, wer zuerst auf dem Start des anderen steht; bei Capture the Flag, wer die Flaggen aller anderen heimgebracht hat.'],
        ['A turn has four actions; at least one must be a move, to one of eight neighbours. Behind you is a wall of light for three actions: nobody goes through it, you neither. Who cannot move is out.', 'Ein Zug hat vier Aktionen; mindestens eine muss ein Schritt sein, auf eines von acht Nachbarfeldern. Hinter dir bleibt drei Aktionen lang eine Wand aus Licht: Niemand kommt hindurch, auch du nicht. Wer nicht ziehen kann, ist draußen.'],
        ['Grenades, once left behind, cannot be seen and cost who steps on them three actions. Discs fly straight and cost who is hit turns. Teleporters carry on. Between two generators stands a field, off and on by turns: it holds, and at the second time it is the end.', 'Granaten sind, einmal verlassen, unsichtbar und kosten drei Aktionen. Scheiben fliegen geradeaus und kosten Getroffene Züge. Teleporter tragen weiter. Zwischen zwei Generatoren steht ein Feld, abwechselnd aus und an: Es hält fest, und beim zweiten Mal ist Schluss.'],
        ['On dark squares the power has failed: who enters one loses the rest of his turn.', 'Auf dunklen Feldern ist der Strom ausgefallen: Wer eines betritt, verliert den Rest seines Zuges.'],
    ],
};

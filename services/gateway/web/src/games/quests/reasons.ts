// reasons.ts: what the rules of quests refuse, in German.
import type { Reasons } from '../../words/refusals';

export const reasons: Reasons = {
    bad_command: 'Das ist hier kein Zug.',
    game_over: 'Das Spiel ist zu Ende.',
    not_your_turn: 'Du bist gerade nicht gefragt.',
    wrong_phase: 'Das geht gerade nicht.',
    bad_position: 'Diese Stelle gibt es nicht.',
    no_such_card: 'Diese Karte hast du nicht.',
    'You do not have the cards to build a valid quest of 2 stages.': 'Deine Karten reichen nicht für eine gültige Quest mit 2 Stufen.',
    'You do not have the cards to build a valid quest of 3 stages.': 'Deine Karten reichen nicht für eine gültige Quest mit 3 Stufen.',
    'You do not have the cards to build a valid quest of 4 stages.': 'Deine Karten reichen nicht für eine gültige Quest mit 4 Stufen.',
    'You do not have the cards to build a valid quest of 5 stages.': 'Deine Karten reichen nicht für eine gültige Quest mit 5 Stufen.',
    cannot_sponsor: 'Deine Karten reichen nicht für eine gültige Quest.',
    second_foe: 'Eine Stufe hat nur einen Gegner.',
    'This weapon is already in the stage.': 'Diese Waffe liegt schon in der Stufe.',
    'This weapon is already in the attack.': 'Diese Waffe ist schon im Angriff.',
    repeated_weapon: 'Diese Waffe liegt dort schon.',
    stage_empty: 'Eine Stufe darf nicht leer sein.',
    stage_no_foe: 'Eine Stufe braucht einen Gegner.',
    stage_value: 'Diese Stufe muss mehr wert sein als die davor.',
    not_weapon: 'In einen Angriff gehören nur Waffen.',
};

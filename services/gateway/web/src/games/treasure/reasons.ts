// reasons.ts: what the rules of the treasure hunt refuse, in German.
import type { Reasons } from '../../words/refusals';

export const reasons: Reasons = {
    IS_OVER: 'Das Spiel ist zu Ende.',
    NOT_IN_GAME: 'Du spielst hier nicht mit.',
    NOT_NOW: 'Danach ist gerade nicht gefragt.',
    INCOMPLETE: 'Eine Angabe fehlt oder ist zu groß oder zu klein.',
    BAD_DIRECTION: 'Es geht hinauf, hinab, nach links oder nach rechts.',
    NOT_YOUR_TURN: 'Du bist nicht an der Reihe.',
    HALF_ACCEPTED: 'Deine Hälfte ist schon angenommen.',
    LATE: 'Deine Hälfte kam zu spät.',
    NOT_REGISTERED: 'Melde dich erst an.',
    REGISTERED_ALREADY: 'Du bist schon angemeldet.',
    BAD_PERSON: 'Gib Vornamen und Nachnamen mit 1 bis 30 Zeichen und eine Matrikelnummer an, jedes auf einer Zeile.',
    FULL: 'An diesem Tisch ist kein Platz mehr.',
};

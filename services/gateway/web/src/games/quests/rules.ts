// rules.ts: quests in a minute, for whoever sits down without having read anything.
import type { Both } from '../../words/say';

export const rules: readonly Both[] = [
    ['Be the first to end a turn with seven shields. Several may win together.', 'Beende als Erster einen Zug mit sieben Schilden. Mehrere können zugleich gewinnen.'],
    ['Who is on turn turns over an event card: the plague costs two shields, the queen gives two cards, prosperity gives everybody two. Or it is a quest.',
        'Wer am Zug ist, deckt eine Ereigniskarte auf: Die Pest kostet zwei Schilde, die Königin gibt zwei Karten, Wohlstand gibt allen zwei. Oder es ist eine Quest.'],
    ['A quest is offered around the table. Its sponsor builds the stages from his hand: each has one foe and any weapons, no weapon twice, and is worth more than the one before.',
        'Eine Quest wird reihum angeboten. Wer sie ausrichtet, baut die Stufen aus der Hand: je ein Gegner und beliebige Waffen, keine doppelt, und jede Stufe mehr wert als die davor.'],
    ['The others decide, stage by stage, whether to go on. Who does draws a card and lays an attack of weapons, face down, no weapon twice.',
        'Die anderen entscheiden Stufe für Stufe, ob sie weitergehen. Wer weitergeht, zieht eine Karte und legt verdeckt einen Angriff aus Waffen, keine doppelt.'],
    ['Then all is turned over: an attack that reaches the stage’s value goes on, the others are out. Who passes the last stage earns as many shields as there are stages.',
        'Dann wird aufgedeckt: Ein Angriff, der den Wert der Stufe erreicht, kommt weiter, die anderen sind draußen. Wer die letzte Stufe schafft, bekommt so viele Schilde, wie es Stufen gibt.'],
    ['The sponsor draws new cards for all he laid out, and one more for each stage. Who holds more than twelve cards discards.',
        'Wer ausgerichtet hat, zieht für alle ausgelegten Karten neue und eine mehr je Stufe. Wer mehr als zwölf Karten hat, legt ab.'],
    ['With the keyboard: Tab goes through the cards that fit, Enter lays one, D says that a stage or an attack is ready, C takes it back.',
        'Mit der Tastatur: Tab geht durch die passenden Karten, Enter legt eine, D sagt, dass eine Stufe oder ein Angriff fertig ist, C nimmt zurück.'],
];

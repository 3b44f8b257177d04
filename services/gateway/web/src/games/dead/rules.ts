// rules.ts: the dead in a minute, for whoever sits down without having read anything.
import type { Both } from '../../words/say';

export const rules: readonly Both[] = [
    ['All win or lose together. Reach the goal above the board before the rounds are over, and keep morale above nothing.',
        'Alle gewinnen oder verlieren zusammen. Erreicht das Ziel über dem Brett, bevor die Runden um sind, und haltet die Moral über null.'],
    ['In each round you roll a die for each of your survivors, and one more. Each action takes a die: attack needs one of at least the survivor’s attack value, search one of his search value; barricades and waste take any.',
        'In jeder Runde würfelst du für jeden deiner Überlebenden einen Würfel und noch einen. Jede Aktion kostet einen: Angriff braucht mindestens den Angriffswert, Suche den Suchwert; Barrikaden und Müll gehen mit jedem.'],
    ['Walking costs no die, once a turn for each; but it is cold outside: it may wound, freeze or, at worst, bite. Three injuries kill. Frost wounds anew each round.',
        'Gehen kostet keinen Würfel, je Zug einmal; aber draußen ist es kalt: Es kann verwunden, erfrieren oder schlimmstenfalls beißen. Drei Verletzungen töten. Frost verwundet jede Runde neu.'],
    ['Who attacks may be infected, and who is bitten may infect those beside him.', 'Wer angreift, kann sich anstecken, und wer gebissen wird, kann die neben sich anstecken.'],
    ['Food and odds and ends are played from the hand; everything used becomes waste. Cards of the right kind meet the crisis.',
        'Essen und Krimskrams spielt man aus der Hand; alles Benutzte wird Müll. Karten der richtigen Art wenden die Krise ab.'],
    ['At night the colony eats, one food for two people; every ten of waste, hunger, and a failed crisis cost morale. Then zombies come; an entrance holds three of zombies and barricades together. Where there is no room, a barricade breaks or somebody dies.',
        'Nachts isst die Kolonie, ein Essen für zwei Leute; je zehn Müll, Hunger und eine verpasste Krise kosten Moral. Dann kommen Zombies; an einem Eingang ist Platz für drei, Zombies und Barrikaden zusammen. Wo kein Platz ist, bricht eine Barrikade, oder jemand stirbt.'],
    ['Click one of your people, and the places he may go to and the doors he may work at light up; click a card to see what it can do.',
        'Klicke auf einen deiner Leute: Orte, zu denen er gehen kann, und Türen, an denen er arbeiten kann, leuchten auf; ein Klick auf eine Karte zeigt, was sie kann.'],
];

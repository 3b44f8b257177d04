// reasons.ts: what the rules of nim refuse, in German.
import type { Reasons } from '../../words/refusals';

export const reasons: Reasons = {
    NOT_YOUR_TURN: 'Du bist nicht an der Reihe.',
    NOT_A_MOVE: 'Der einzige Zug ist, etwas zu nehmen.',
    NO_SUCH_HEAP: 'Dort gibt es nichts zu nehmen: Wähle einen anderen Haufen.',
    COUNT: 'Nimm mindestens einen Stein, und höchstens so viele, wie der Haufen hat.',
};

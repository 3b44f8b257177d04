// game.ts: a message of a game, as far as who does not know the game can say: one object, its kind the key that is set.
export type GameMessage = { readonly [key: string]: any }; // A board narrows it to the types of its own .proto.

// The kind of a message that is one oneof: the key that is set.
export function kindOf(message: GameMessage | undefined): string {
    for (const key in message) return key;
    return '';
}

// A set-up or options, as whoever wrote them: only the game that they are for knows what stands in them.
export type Json = any;

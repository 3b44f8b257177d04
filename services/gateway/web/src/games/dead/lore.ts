// lore.ts: who and what the identifiers of a match of the dead are, by its set-up and the set-up's texts.
import { both, type Both } from '../../words/say';
import type { Names } from '../face';
import type { Json } from '../../proto/game';

export interface Character {
    identifier: number;
    name: string;
    status: number;
    attack: number;
    search: number;
    ability?: Record<string, Json>;
}
export interface CardFact {
    id: number;
    kind: string;
    amount?: number;
    location?: number;
}

const CARDS: Record<string, Both> = {
    food: ['Food', 'Essen'],
    stuff: ['Odds and ends', 'Krimskrams'],
    medicine: ['Medicine', 'Medizin'],
    fuel: ['Fuel', 'Benzin'],
    lock: ['Lock', 'Schloss'],
    scissors: ['Scissors', 'Schere'],
    hammer: ['Hammer', 'Hammer'],
    snowBoots: ['Snow boots', 'Schneeschuhe'],
    snow_boots: ['Snow boots', 'Schneeschuhe'],
    blueprint: ['Blueprint', 'Bauplan'],
    colt: ['Colt', 'Colt'],
    swab: ['Mop', 'Wischmopp'],
};

export class Lore {
    constructor(readonly names: Names) {}

    place(id: number | undefined): string {
        for (const one of this.names.setup?.locations ?? []) {
            if (one.colony?.identifier === id) return this.names.texts.colony ?? both(['Colony', 'Kolonie']);
            if (one.identifier === id) return this.names.texts.places?.[String(id)] ?? one.name;
        }
        return both(['place {id}', 'Ort {id}'], { id });
    }
    get colony(): number | undefined {
        return (this.names.setup?.locations ?? [])
            .map((one: Json) => one.colony?.identifier)
            .find((id: unknown) => id !== undefined);
    }
    room(id: number | undefined): number | undefined {
        return (this.names.setup?.locations ?? []).find((one: Json) => one.identifier === id)?.survivorSpaces;
    }
    character(id: number | undefined): Character {
        return (
            (this.names.setup?.characters ?? []).find((one: Character) => one.identifier === id) ?? {
                identifier: id ?? 0,
                name: `#${id}`,
                status: 0,
                attack: 0,
                search: 0,
            }
        );
    }
    called(id: number | undefined): string {
        return id === undefined ? both(['a child', 'ein Kind']) : this.character(id).name;
    }
    card(id: number | undefined): CardFact {
        for (const one of this.names.setup?.cards ?? [])
            for (const [kind, fact] of Object.entries<Json>(one))
                if (fact.identifier === id) return { id: id!, kind, amount: fact.amount, location: fact.location };
        return { id: id ?? 0, kind: 'stuff' };
    }
    cardName(id: number | undefined): string {
        const fact = this.card(id);
        const title = this.names.texts.cards?.[fact.kind]?.title ?? both(CARDS[fact.kind] ?? [fact.kind, fact.kind]);
        if (fact.amount !== undefined) return `${title} ${fact.amount}`;
        return fact.location === undefined ? title : `${title}: ${this.place(fact.location)}`;
    }
    crisis(id: number | undefined): { title: string; text: string; kind: string; needs: number; costs: number } | null {
        for (const one of this.names.setup?.crises ?? [])
            for (const [kind, fact] of Object.entries<Json>(one))
                if (fact.identifier === id) {
                    const texts = this.names.texts.crises?.[String(id)];
                    return {
                        title: texts?.title ?? both(CARDS[kind] ?? [kind, kind]),
                        text: texts?.text ?? '',
                        kind,
                        needs: fact.requiredCards,
                        costs: fact.moralChange,
                    };
                }
        return null;
    }
    // What either answer to a fate card brings, in words; the first is the yes.
    fate(id: number | undefined): readonly [string, string] {
        for (const one of this.names.setup?.crossroads ?? [])
            for (const fact of Object.values<Json>(one))
                if (fact.identifier === id) {
                    const { consequence1, consequence2 } = fact.consequence?.choice ?? {};
                    return [this.consequence(consequence1), this.consequence(consequence2)];
                }
        return ['', ''];
    }
    private consequence(what: Json): string {
        const [kind, { amount = 0, locationId, children = false }] = Object.entries<Json>(what ?? {})[0] ?? ['', {}];
        const signed = `${amount < 0 ? '−' : '+'}${Math.abs(amount)}`;
        switch (kind) {
            case 'changeFood':
                return both(['food {n}', 'Essen {n}'], { n: signed });
            case 'changeMoral':
                return both(['morale {n}', 'Moral {n}'], { n: signed });
            case 'spawnZombies':
                return both(
                    ['{n} {n|zombie comes|zombies come}: {where}', '{n} {n|Zombie kommt|Zombies kommen}: {where}'],
                    {
                        n: amount,
                        where: locationId === undefined ? both(['everywhere', 'überall']) : this.place(locationId),
                    },
                );
            case 'spawnSurvivors':
                return children
                    ? both(
                          [
                              '{n} more to follow you, with {n|a child|as many children}',
                              '{n} mehr in eurer Gruppe, mit {n|einem Kind|ebenso vielen Kindern}',
                          ],
                          { n: amount },
                      )
                    : both(['{n} more to follow you', '{n} mehr in eurer Gruppe'], { n: amount });
            default:
                return '';
        }
    }
    kind(kind: string): string {
        return this.names.texts.cards?.[kind]?.title ?? both(CARDS[kind] ?? [kind, kind]);
    }
    // What a character is good at, as a sentence.
    ability(id: number | undefined): string {
        const ability = this.character(id).ability ?? {};
        const [kind, fact] = Object.entries<Json>(ability)[0] ?? ['', {}];
        switch (kind) {
            case 'barricade':
                return both(
                    ['builds {n} {n|barricade|barricades} at once', 'baut {n} {n|Barrikade|Barrikaden} auf einmal'],
                    { n: fact.numBarricades },
                );
            case 'heal':
                return both(['heals', 'heilt']);
            case 'feed':
                return both(['brings {n} food', 'bringt {n} Essen'], { n: fact.numFood });
            case 'wound':
                return both([
                    'turns one injury into another on the way',
                    'steckt unterwegs eine Verletzung anders weg',
                ]);
            case 'kill':
                return both(['kills {n} {n|zombie|zombies}{where}', 'erledigt {n} {n|Zombie|Zombies}{where}'], {
                    n: fact.numZombies,
                    where: fact.locationId ? ` (${this.place(fact.locationId)})` : '',
                });
            case 'search':
                return both(['finds {n} more{where}', 'findet {n} mehr{where}'], {
                    n: fact.numCards,
                    where: fact.location ? ` (${this.place(fact.location)})` : '',
                });
            case 'trash':
                return both(['carries out {n} waste', 'trägt {n} Müll hinaus'], { n: fact.numCards });
            case 'no_infection':
                return both(['is never infected when fighting', 'steckt sich beim Kampf nie an']);
            default:
                return '';
        }
    }
}

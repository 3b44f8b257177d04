// deeds.ts: the commands of the dead in words.
import type { Command } from '../../generated/dead';
import { both } from '../../words/say';
import type { Lore } from './lore';

export function deed(command: Command, lore: Lore): string {
    const {
        move,
        barricade,
        attack,
        search,
        clean_waste: clean,
        contribute_card: give,
        use_card: use,
        use_ability: skill,
        select_characters: select,
    } = command;
    if (move)
        return both(
            move.fuel ? ['{c} drives to {l}', '{c} fährt nach {l}'] : ['{c} goes to {l}', '{c} geht nach {l}'],
            { c: lore.called(move.character_id), l: lore.place(move.location_id) },
        );
    if (barricade)
        return both(['{c} bars entrance {e}', '{c} verbarrikadiert Eingang {e}'], {
            c: lore.called(barricade.character_id),
            e: (barricade.entrance ?? 0) + 1,
        });
    if (attack)
        return both(['{c} attacks at entrance {e}', '{c} greift an Eingang {e} an'], {
            c: lore.called(attack.character_id),
            e: (attack.entrance ?? 0) + 1,
        });
    if (search) return both(['{c} searches', '{c} durchsucht den Ort'], { c: lore.called(search.character_id) });
    if (clean) return both(['{c} carries waste out', '{c} bringt Müll hinaus'], { c: lore.called(clean.character_id) });
    if (give) return both(['Give {k} for the crisis', '{k} für die Krise geben'], { k: lore.cardName(give.card_id) });
    if (use && use.character_id === undefined)
        return both(['Play {k}', '{k} ausspielen'], { k: lore.cardName(use.card_id) });
    if (use)
        return both(['{c} uses {k}{t}', '{c} benutzt {k}{t}'], {
            c: lore.called(use.character_id),
            k: lore.cardName(use.card_id),
            t: use.target === undefined ? '' : ` → ${cardTarget(lore, use.card_id, use.target)}`,
        });
    if (skill)
        return both(['{c}: {what}{t}', '{c}: {what}{t}'], {
            c: lore.called(skill.character_id),
            what: lore.ability(skill.character_id),
            t: skill.target === undefined ? '' : ` → ${abilityTarget(lore, skill.character_id, skill.target)}`,
        });
    if (select)
        return both(['{a} and {b}', '{a} und {b}'], {
            a: lore.called(select.character_id0),
            b: lore.called(select.character_id1),
        });
    if (command.vote)
        return command.vote.answer
            ? both(['Vote for the first', 'Für das Erste stimmen'])
            : both(['Vote for the second', 'Für das Zweite stimmen']);
    if (command.leave) return both(['Leave the match', 'Partie verlassen']);
    return both(['End the turn', 'Zug beenden']);
}

// Medicine and things to wear go to a person, fuel and plans to a place, locks and scissors to an entrance.
function cardTarget(lore: Lore, card: number | undefined, id: number): string {
    const { kind } = lore.card(card);
    if (kind === 'fuel' || kind === 'blueprint') return lore.place(id);
    if (kind === 'lock' || kind === 'scissors') return both(['entrance {n}', 'Eingang {n}'], { n: id + 1 });
    return lore.called(id);
}
function abilityTarget(lore: Lore, character: number | undefined, id: number): string {
    const ability = lore.character(character).ability ?? {};
    return 'heal' in ability ? lore.called(id) : both(['entrance {n}', 'Eingang {n}'], { n: id + 1 });
}

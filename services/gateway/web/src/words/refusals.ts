// refusals.ts: why something was not done, in the reader's language: by the code the house gives, or by its own
// sentence where that says more than the code.
//
// Codes are for programs and few; the door says many things by one of them, and closes without any. So its sentences
// have a German one each, and what neither is known by is said as the house says it, in English.
import type { Down, Played } from '../generated/browser';
import type { Answer, Verdict } from '../generated/lobby';
import type { Refusal, Refused } from '../generated/wire';
import { both, language, t, type Both } from './say';

export const REFUSALS: Record<Refusal, Both> = {
    REFUSAL_UNSPECIFIED: ['The house refuses that.', 'Das Haus lehnt das ab.'],
    REFUSAL_AGAIN: [
        'Nothing has happened: try again in a moment.',
        'Es ist nichts geschehen: Versuch es gleich noch einmal.',
    ],
    REFUSAL_ELSEWHERE: [
        'This match has just moved to another place: try again in a moment.',
        'Diese Partie ist gerade umgezogen: Versuch es gleich noch einmal.',
    ],
    REFUSAL_ATTACH_AGAIN: [
        'The house has to find this seat again: try again in a moment.',
        'Das Haus muss diesen Platz erst wiederfinden: Versuch es gleich noch einmal.',
    ],
    REFUSAL_NO_SUCH_MATCH: ['There is no such match.', 'Diese Partie gibt es nicht.'],
    REFUSAL_NOT_YOURS: ['That is not yours to do or to see.', 'Das steht dir nicht zu.'],
    REFUSAL_MALFORMED: ['The house does not understand that:', 'Das versteht das Haus nicht:'],
    REFUSAL_VERSION: [
        'This page is of another version than the house: load it anew.',
        'Diese Seite ist aus einer anderen Version als das Haus: Lade sie neu.',
    ],
    REFUSAL_TOO_MUCH: ['That is too much at once.', 'Das ist zu viel auf einmal.'],
    REFUSAL_FULL: [
        'The house has no room for that now: try again later.',
        'Dafür hat das Haus gerade keinen Platz: Versuch es später noch einmal.',
    ],
    REFUSAL_GAP: [
        'The house has not heard everything before that: load the page anew.',
        'Das Haus hat nicht alles davor gehört: Lade die Seite neu.',
    ],
    REFUSAL_QUARANTINED: [
        'This match is held for inspection; the operator knows.',
        'Diese Partie ist zur Prüfung angehalten; der Betreiber weiß davon.',
    ],
    REFUSAL_BANNED: ['The operator has banned you.', 'Der Betreiber hat dich ausgeschlossen.'],
    REFUSAL_DRAINING: [
        'This part of the house is closing: try again in a moment.',
        'Dieser Teil des Hauses schließt gerade: Versuch es gleich noch einmal.',
    ],
    REFUSAL_NOT_OVER: [
        'The match goes on; this is there when it is over.',
        'Die Partie läuft noch; das gibt es, wenn sie vorbei ist.',
    ],
};

export const VERDICTS: Record<Verdict, Both> = {
    VERDICT_UNSPECIFIED: ['The lobby refuses that.', 'Die Lobby lehnt das ab.'],
    VERDICT_DONE: ['Done.', 'Erledigt.'],
    VERDICT_NO_NAME: ['Choose a name first.', 'Wähle erst einen Namen.'],
    VERDICT_NAME_TAKEN: [
        'Somebody else has this name: choose another one.',
        'Diesen Namen hat schon jemand: Wähle einen anderen.',
    ],
    VERDICT_NAME_UNFIT: [
        'A name has visible characters, accents on letters only, no spaces around it, and is not too long.',
        'Ein Name hat nur sichtbare Zeichen, Akzente auf Buchstaben, keine Leerzeichen am Rand, und ist nicht zu lang.',
    ],
    VERDICT_NO_SUCH_TABLE: [
        'There is no such table, or it is not yours to see.',
        'Diesen Tisch gibt es nicht, oder er ist nicht für dich.',
    ],
    VERDICT_NO_SUCH_GAME: [
        'This game, or this version of it, is not played here.',
        'Dieses Spiel, oder diese Fassung davon, wird hier nicht gespielt.',
    ],
    VERDICT_SETUP_FAULTY: ['The house does not take this set-up:', 'Diesen Aufbau nimmt das Haus nicht:'],
    VERDICT_WRONG_CODE: [
        'No table has this code: ask for its link once more.',
        'Diesen Code hat kein Tisch: Lass dir den Link noch einmal geben.',
    ],
    VERDICT_TABLE_FULL: ['The table is full.', 'Der Tisch ist voll.'],
    VERDICT_SEATED_ELSEWHERE: [
        'You sit at another table: go back to it, or get up there first.',
        'Du sitzt an einem anderen Tisch: Geh dorthin zurück, oder steh dort erst auf.',
    ],
    VERDICT_SEAT_TAKEN: ['This seat is taken.', 'Dieser Platz ist besetzt.'],
    VERDICT_NOT_SEATED: ['You have no seat at this table.', 'Du hast keinen Platz an diesem Tisch.'],
    VERDICT_NOT_HOST: ['Only the table’s host may do that.', 'Das darf nur der Gastgeber.'],
    VERDICT_TOO_FEW: [
        'Too few seats are taken to begin: wait, invite, or fill with bots.',
        'Für den Beginn sind zu wenige Plätze besetzt: Warte, lade jemanden ein, oder nimm Bots dazu.',
    ],
    VERDICT_BEGUN: ['The match has begun.', 'Die Partie hat schon begonnen.'],
    VERDICT_NOT_BEGUN: [
        'There is no match at this table that this could be about.',
        'An diesem Tisch läuft keine Partie, um die es gehen könnte.',
    ],
    VERDICT_RULES: ['The game does not allow that here:', 'Das Spiel erlaubt das hier nicht:'],
    VERDICT_MUTED: [
        'Talking is switched off at this table, or for you.',
        'Reden ist an diesem Tisch abgeschaltet, oder für dich.',
    ],
    VERDICT_NO_VOTE: [
        'This seat is not being voted on, or you have no vote.',
        'Über diesen Platz wird nicht abgestimmt, oder du hast keine Stimme.',
    ],
    VERDICT_NOT_ALLOWED: ['You may not do that.', 'Das darfst du nicht.'],
    VERDICT_NO_SUCH_PLAYER: ['There is nobody of this name here.', 'Hier ist niemand, der so heißt.'],
    VERDICT_LOBBY_FULL: [
        'The lobby has no room for that now: try again later.',
        'Dafür hat die Lobby gerade keinen Platz: Versuch es später noch einmal.',
    ],
    VERDICT_NO_BOTS: [
        'The house has no bots just now: play with people, or try again later.',
        'Das Haus hat gerade keine Bots: Spiel mit Menschen, oder versuch es später noch einmal.',
    ],
    VERDICT_BANNED: ['The operator has banned you.', 'Der Betreiber hat dich ausgeschlossen.'],
    VERDICT_NO_SUCH_MATCH: ['No such match is going on.', 'Diese Partie läuft nicht.'],
    VERDICT_NO_SUCH_ENGINE: ['No engine has this name.', 'So heißt keine Engine.'],
};

// Behind these come the house's own words: where the fault is, why somebody was banned.
const TELLS_MORE: readonly string[] = [
    'REFUSAL_MALFORMED',
    'REFUSAL_VERSION',
    'VERDICT_SETUP_FAULTY',
    'VERDICT_RULES',
    'VERDICT_BANNED',
    'VERDICT_MUTED',
];

// What the door and the lobby say in English without a code of its own. One that ends with a colon goes on.
export const SAID: Readonly<Record<string, string>> = {
    'A player may not ask that.': 'Das darf ein Spieler nicht fragen.',
    'A helper may not do this; the operator may.': 'Das darf ein Helfer nicht; der Betreiber darf es.',
    'A helper bans for at most a day, and changes no ban that lasts longer.':
        'Ein Helfer schließt für höchstens einen Tag aus, und ändert nichts an einem längeren Ausschluss.',
    'A helper mutes for at most a day, and changes no mute that lasts longer.':
        'Ein Helfer schaltet für höchstens einen Tag stumm, und ändert nichts, wenn es länger gilt.',
    "Only the operator's own key may do this, and no page.":
        'Das darf nur der eigene Schlüssel des Betreibers, und keine Seite.',
    'He is banned, and without a name that could never be lifted: unban first.':
        'Er ist ausgeschlossen, und ohne Namen ließe sich das nie aufheben: Lass ihn erst wieder herein.',
    "This house has no operator's token: start the gateway with --operator-token.":
        'Dieses Haus hat kein Token: Starte das Tor mit --operator-token.',
    'The house cannot say that now; ask again.': 'Das kann das Haus gerade nicht sagen: Frag noch einmal.',
    'Choose a name first.': 'Wähle erst einen Namen.',
    'That is more than 4 KiB.': 'Das ist mehr als 4 KiB.',
    'The house is busy.': 'Das Haus ist beschäftigt: Versuch es gleich noch einmal.',
    'The house is busy: come back in a moment.': 'Das Haus ist beschäftigt: Komm gleich wieder.',
    'The house is being started anew: come back in a moment.': 'Das Haus wird neu gestartet: Gleich geht es weiter.',
    'The match is held for inspection; the operator has been told.':
        'Die Partie ist zur Prüfung angehalten; der Betreiber weiß davon.',
    'The house told this match in two ways: what it keeps was set back. The operator has been told.':
        'Das Haus hat diese Partie auf zwei Arten erzählt: Was es aufbewahrt, wurde zurückgesetzt. ' +
        'Der Betreiber weiß davon.',
    'The match is too large to be shown.': 'Die Partie ist zu groß, um gezeigt zu werden.',
    'There is no such list.': 'So eine Liste gibt es nicht.',
    'The match is over, or not here any more.': 'Die Partie ist zu Ende, oder nicht mehr hier.',
    'The match is not here any more.': 'Die Partie ist nicht mehr hier.',
    'This seat is not yours any more, or the match is not here.':
        'Dieser Platz ist nicht mehr deiner, oder die Partie ist nicht hier.',
    'You do not sit there.': 'Dort sitzt du nicht.',
    'Your seat waits for a place here.': 'Dein Sitz wartet hier noch auf einen Platz.',
    'It is not known here yet where you sit: say it again in a moment.':
        'Hier ist noch nicht bekannt, wo du sitzt: Versuch es gleich noch einmal.',
    ['So much is played through this door just now that you have to wait: ' +
    'your seat is shown to you as soon as there is a place.']:
        'Über diese Tür wird gerade so viel gespielt, dass du warten musst: Dein Sitz erscheint, sobald Platz ist.',
    'A command has at most 4 KiB.': 'Ein Befehl hat höchstens 4 KiB.',
    "A command's id has 16 bytes.": 'Der Name eines Befehls hat 16 Bytes.',
    'A play has a command.': 'Zu einem Zug gehört ein Befehl.',
    'This seat is just being played, or not taken yet: say it again.':
        'Für diesen Platz läuft gerade ein Zug, oder er ist noch frei: Versuch es gleich noch einmal.',
    'Watch it first.': 'Schau erst zu.',
    'So much is not told at once.': 'So viel wird nicht auf einmal erzählt.',
    'It cannot be shown yet.': 'Das lässt sich noch nicht zeigen.',
    'This code is not good any more: ask for a new one on the other device.':
        'Dieser Code gilt nicht mehr: Hol auf dem anderen Gerät einen neuen.',
    'These bytes are not wanted of you now.': 'Diese Bytes werden gerade nicht von dir erwartet.',
    'This device knows you now: come back at once.': 'Dieses Gerät kennt dich jetzt: Gleich geht es weiter.',
    'Hello was said already.': 'Du bist schon da.',
    'A name has at most 32 bytes.': 'Dieser Name ist zu lang.',
    'This is no session.': 'Diese Sitzung gibt es nicht.',
    'The house is full.': 'Das Haus ist voll.',
    'Good bye.': 'Auf Wiedersehen.',
    'Others needed room, and you had most tables.': 'Andere brauchten Platz, und du hattest die meisten Tische.',
    'You have left, on all devices. Good bye.': 'Du bist gegangen, auf allen Geräten. Auf Wiedersehen.',
    'Nobody said hello here in time.': 'Hier hat sich niemand rechtzeitig gemeldet.',
    'You are here in eight other places: come back when you look here.':
        'Du bist schon an acht anderen Stellen hier: Sobald du hierher schaust, geht es weiter.',
    'This message says nothing.': 'Diese Nachricht sagt nichts.',
    'That is too much at once: say it again in a moment.': 'Das ist zu viel auf einmal: Versuch es gleich noch einmal.',
    'This connection said far more than it may.': 'Über diese Verbindung kam viel mehr, als sie darf.',
    'Say hello first, and wait for Welcome.': 'Die Verbindung ist noch nicht fertig: Versuch es gleich noch einmal.',
    'Too slow: not all is kept any more. Come back at once.':
        'Zu langsam: Es ist nicht mehr alles da. Gleich geht es weiter.',
    'The table is private: its code is needed to watch.': 'Der Tisch ist privat: Zum Zuschauen braucht es seinen Code.',
    "A match's id has 16 bytes.": 'Die Kennung einer Partie hat 16 Bytes.',
    'So many are not watched at once.': 'So vielen schaut man nicht auf einmal zu.',
    'There is no such match, or it is not watched.': 'Diese Partie gibt es nicht, oder man darf nicht zuschauen.',
    'Everybody has left.': 'Alle sind gegangen.',
    'Nothing has happened here for long.': 'Hier ist lange nichts geschehen.',
    'The set-up cannot be read any more.': 'Der Aufbau ist nicht mehr lesbar.',
    'The registration was broken off.': 'Die Anmeldung wurde abgebrochen.',
    'The registration refused its host.': 'Die Anmeldung hat den Gastgeber abgelehnt.',
    'The match could not begin: ': 'Die Partie konnte nicht beginnen: ',
};

// What the rules refuse, by language: by their code, and of a code with several sentences by the sentence. English they
// speak themselves.
export type Reasons = Readonly<Record<string, Readonly<Record<string, string>>>>;

// What the house says in so many words; in German what is known of it, or nothing.
function known(sentence: string): string | undefined {
    if (language.value === 'en' || sentence === '') return sentence || undefined;
    const begin = sentence.slice(0, sentence.indexOf(': ') + 2);
    return SAID[sentence] ?? (SAID[begin] ? SAID[begin] + sentence.slice(begin.length) : undefined);
}

// Where there is no code at all.
export function closingWords(sentence: string | undefined): string {
    return known(sentence ?? '') ?? sentence ?? '';
}

function byCode(table: Readonly<Record<string, Both>>, code: string, sentence: string): string {
    const words = table[code];
    if (!words) return sentence || t('not_now');
    // The page's own words, said by the house, tell nothing more.
    if (!TELLS_MORE.includes(code) || sentence === '' || sentence === words[0]) return both(words);
    return `${both(words)}${sentence.includes('\n') ? '\n' : ' '}${sentence}`;
}

// Without a code it is this page's own refusal: there is no connection.
export function refusedWords({ refusal, sentence = '' }: Refused): string {
    if (refusal === undefined) return sentence || t('not_now');
    return known(sentence) ?? byCode(REFUSALS, refusal, sentence);
}

// Why the lobby did not do it; nothing if it did.
export function answerWords({ verdict, sentence = '', refused }: Answer & { refused?: Refused }): string {
    if (refused) return refusedWords(refused);
    if (verdict === 'VERDICT_DONE') return '';
    return SAID[sentence] === undefined ? byCode(VERDICTS, verdict ?? '', sentence) : (known(sentence) ?? '');
}

function playedWords({ reason = '', sentence = '' }: Played, reasons: Reasons): string {
    const known = reasons[language.value];
    return known?.[sentence] ?? known?.[reason] ?? sentence;
}

// Why what was asked did not come about, whoever refused it.
export function whyNot(down: Pick<Down, 'played' | 'answer' | 'refused' | 'closing'>, reasons: Reasons = {}): string {
    const said = down.played
        ? playedWords(down.played, reasons)
        : down.answer
          ? answerWords(down.answer)
          : down.refused
            ? refusedWords(down.refused)
            : closingWords(down.closing?.sentence);
    return said || t('not_now');
}

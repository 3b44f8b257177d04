// faults.ts: what is wrong with a match file, in the reader's language: place and reason stand between colons, and
// each has its words.
import { language } from './say';

export const FAULTS: Readonly<Record<string, string>> = {
    'byte {n}': 'Byte {n}',
    'act {n}': 'Schritt {n}',
    'seat {n}': 'Platz {n}',
    'this is no match file': 'das ist keine Partiedatei',
    'its first line is not the one of match files': 'ihre erste Zeile ist nicht die einer Partiedatei',
    'the file is empty': 'die Datei ist leer',
    'the file is cut off': 'die Datei ist abgeschnitten',
    'the file is cut off, or a length is wrong': 'die Datei ist abgeschnitten, oder eine Länge stimmt nicht',
    'a record is not what its check says': 'ein Datensatz ist nicht, was seine Prüfsumme sagt',
    'record {n} stands where it cannot stand': 'Datensatz {n} steht, wo er nicht stehen kann',
    'a number has no end, or one that is too long': 'eine Zahl hat kein Ende, oder ein zu langes',
    'a field is longer than its message': 'ein Feld ist länger als seine Nachricht',
    'no such kind of field': 'diese Art Feld gibt es nicht',
    'holds more than is read of it': 'enthält mehr, als davon gelesen wird',
    'is written in a way it cannot be': 'ist geschrieben, wie es nicht sein kann',
    unreadable: 'unlesbar',
    'the match has no end yet, and its secrets come with it':
        'die Partie hat noch kein Ende, und erst mit ihm kommen ihre Geheimnisse',
    'act {n} is missing': 'Schritt {n} fehlt',
    'its chain is not what its bytes make': 'seine Kette ist nicht die, die seine Bytes ergeben',
    'the end counts other acts than there are': 'das Ende zählt andere Schritte, als da sind',
    'the end names another last chain': 'das Ende nennt eine andere letzte Kette',
    'there is no commitment and no seed': 'es gibt weder eine Festlegung noch eine Anfangszahl',
    'the secret is not the one the house was committed to':
        'das Geheimnis ist nicht das, auf das sich das Haus festgelegt hatte',
    'the header names contributors where there are none': 'der Kopf nennt Beitragende, wo es keine gibt',
    'the contributors do not stand in order of seats': 'die Beitragenden stehen nicht in der Reihenfolge der Plätze',
    'its bytes are nobody’s': 'seine Bytes sind von niemandem',
    'the contributors are not the seats that began without a bot':
        'die Beitragenden sind nicht die Plätze, die ohne Bot begannen',
    'the house commits itself twice': 'das Haus legt sich zweimal fest',
    'the house commits itself to another secret': 'das Haus legt sich auf ein anderes Geheimnis fest',
    'seats are asked that are none': 'es werden Plätze gefragt, die keine sind',
    'other seats are asked than the header names': 'es werden andere Plätze gefragt, als der Kopf nennt',
    'nobody awaits this hash': 'niemand erwartet diese Prüfsumme',
    'its hash is none': 'seine Prüfsumme ist keine',
    'it reveals before all hashes are there': 'er deckt auf, bevor alle Prüfsummen da sind',
    'it reveals without a hash': 'er deckt ohne Prüfsumme auf',
    'nobody awaits its bytes any more': 'niemand erwartet seine Bytes noch',
    'nobody awaits anything of it': 'niemand erwartet etwas von ihm',
    'no dice are made here': 'hier werden keine Würfel gemacht',
    'nobody was asked for dice yet': 'noch wurde niemand nach Würfeln gefragt',
    'the match begins before its dice are made': 'die Partie beginnt, bevor ihre Würfel gemacht sind',
    'a seat contributes that nobody asked': 'ein Platz trägt bei, den niemand gefragt hat',
    'contributes twice': 'trägt zweimal bei',
    'its contribution is left out': 'sein Beitrag ist weggelassen',
    'its bytes do not make its hash': 'seine Bytes ergeben nicht seine Prüfsumme',
    'the match was told another hash': 'der Partie wurde eine andere Prüfsumme gesagt',
    'the match was told other bytes': 'der Partie wurden andere Bytes gesagt',
    'boxes for some seats only': 'versiegelte Nachrichten nur für manche Plätze',
    "a box's size tells whom it is for": 'die Größe einer versiegelten Nachricht verrät, an wen sie ging',
    'another secret was shown': 'ein anderes Geheimnis wurde gezeigt',
    'the box of seat {n} does not open': 'die Nachricht an Platz {n} geht nicht auf',
    'its nonce is not the one of this place and text': 'ihre Einmalzahl ist nicht die dieser Stelle und dieses Textes',
    'what fills it up is not zeros': 'was sie auffüllt, sind nicht Nullen',
    'the outcome is not one for each seat': 'der Ausgang ist nicht einer für jeden Platz',
    'the last act says another outcome': 'der letzte Schritt nennt einen anderen Ausgang',
};

// What has no words, a message's name or what a library says, stays as it is.
export function faultWords(fault: string): string {
    if (language.value === 'en') return fault;
    return fault
        .split(': ')
        .map((part) => {
            const numbers = part.match(/\d+/g) ?? [];
            return FAULTS[part.replace(/\d+/g, '{n}')]?.replace(/\{n\}/g, () => numbers.shift() ?? '') ?? part;
        })
        .join(': ');
}

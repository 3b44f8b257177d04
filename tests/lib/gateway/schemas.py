"""schemas.py: judges messages of 2017 by the schemas of the two spellings; a message is of the one that knows its root."""
import pathlib

from lxml import etree

HERE = pathlib.Path(__file__).resolve().parent
FILES = (HERE.parents[2] / "common" / "games" / "treasure" / "recorded" / "wire" / "treasure-doc.xsd",
         HERE / "treasure-impl.xsd")
SCHEMAS = [etree.XMLSchema(etree.parse(str(file))) for file in FILES]
# Who reads answers strictly reads no more than this.
STRICT = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)


def faults(message):
    """What is wrong with it, as sentences; none: it is valid."""
    try:
        tree = etree.fromstring(message.encode() if isinstance(message, str) else message, STRICT)
    except etree.XMLSyntaxError as fault:
        return [str(fault)]
    spelling = SCHEMAS[tree.tag[:1].islower()]
    return [] if spelling.validate(tree) else [str(fault) for fault in spelling.error_log]

"""repository_test.py: holds the repository to what it promises; each check is proved in planted_test.py."""
import pathlib
import unittest

import contract
import declared
import documents
import layers
import prose
import repository
import rules
import words

ROOT = pathlib.Path(__file__).resolve().parents[2]


class TheRepository(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.repo = repository.Repository(ROOT)

    def clean(self, check):
        findings = check(self.repo)
        self.assertEqual(findings, [], "\n" + "\n".join(findings))

    def test_is_read_at_all(self):
        self.assertIn("CMakeLists.txt", self.repo.paths)
        self.assertGreater(len(self.repo.ending(".c")), 3)

    def test_layers_know_only_those_below(self):
        self.clean(layers.layers_by_includes)

    def test_what_another_file_defines_is_known_by_its_header(self):
        self.clean(declared.hand_written)

    def test_no_banned_call(self):
        self.clean(layers.banned_calls)

    def test_every_file_opens_with_a_sentence(self):
        self.clean(words.first_sentences)

    def test_a_first_line_names_no_other_file(self):
        self.clean(words.first_names)

    def test_nothing_is_left_for_later(self):
        self.clean(words.leftovers)

    def test_no_path_of_a_machine(self):
        self.clean(words.machine_paths)

    def test_functions_and_files_are_short(self):
        self.clean(words.sizes)

    def test_no_folder_is_crowded(self):
        self.clean(words.crowds)

    def test_structs_go_by_their_tags(self):
        self.clean(words.struct_names)

    def test_the_top_level_is_what_the_readme_explains(self):
        self.clean(documents.top_level)

    def test_links_lead_somewhere(self):
        self.clean(documents.links)

    def test_pages_are_narrow(self):
        self.clean(prose.wide_lines)

    def test_sentences_are_short(self):
        self.clean(prose.long_sentences)

    def test_most_sentences_are_shorter(self):
        self.clean(prose.usual_sentences)

    def test_rows_of_rules_name_their_tests(self):
        self.clean(documents.rows_name_tests)

    def test_every_rule_of_a_text_has_its_test(self):
        self.clean(rules.every_rule_has_its_test)

    def test_no_test_is_an_orphan(self):
        self.clean(documents.orphans)

    def test_games_are_whole(self):
        self.clean(documents.whole_games)

    def test_words_of_games_name_what_their_messages_have(self):
        self.clean(documents.words_fit)

    def test_the_readme_lists_every_game(self):
        self.clean(documents.listed_games)

    def test_games_are_laid_out(self):
        self.clean(documents.game_layouts)

    def test_messages_keep_to_the_contract(self):
        self.clean(contract.contract_rules)

    def test_field_numbers_have_names(self):
        self.clean(contract.field_numbers)

    def test_kinds_are_said_in_a_word(self):
        self.clean(contract.long_names)


if __name__ == "__main__":
    unittest.main()

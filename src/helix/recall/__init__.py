"""Stage 7 of 9: recall. A question is answered, or honestly not.

Before it: everything that made memories findable. After it: reinforcement, when an
answer turns out to help.

The question is planned into a standpoint in time and a set of words, candidates are
gathered from what the asker may see, and the best are returned, or an abstention that
says why. It never changes what is believed, calls a language model or looks into another
scope.
"""

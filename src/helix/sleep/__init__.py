"""Sleep: the worker that lets Helix conclude, pass by pass, while nobody waits for it.

Works on: consolidation and reflection. Needs: nothing running beside it.

The dream cycle is an ordered list of passes with one signature (`passes`). Each pass reads a
night, proposes conclusions, and reports; gates refuse what is not grounded; what remains is
applied in one transaction with an entry in the journal, so that a run can be shown, resumed
and reverted. It never blocks capture or recall, and deletes nothing.
"""

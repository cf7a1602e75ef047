blockers-board = board of nine by nine cells
blockers-board-label = Board. Keys: 1 to 9 and 0 choose a tile, arrows move, Enter places, Escape cancels.
blockers-board-help = Rows A to I from the top, columns 1 to 9 from the left. An empty cell shows the symbol of its region in brackets.
blockers-rack = Your rack
blockers-players = Players
blockers-colours = Colours
blockers-points = Points
blockers-groups-head = Groups
blockers-captures-head = Captured
blockers-groups =
    { $count ->
        [one] group
       *[other] groups
    }
blockers-captured = captured
blockers-counts = counts
blockers-in-pile = in the pile
blockers-pile-of = { $colour } { $count }
blockers-discards = Discarded:
blockers-seen = Seen on { $name }’s rack:
blockers-nothing = none
blockers-colour-groups = { $colour }: { $groups }
blockers-targets = { $tile } may go to: { $free }. It may capture on: { $captures }.
blockers-last = Last tile: { $tile } on { $cell }

blockers-joker = joker
blockers-colour =
    { $colour ->
        [b] blue
        [y] yellow
        [g] green
        [r] red
       *[k] black
    }
blockers-tile = { blockers-colour } { $face }
blockers-the-tile = the { $tile }
blockers-where-column = column { $face }
blockers-where-row = row { $face }
blockers-where-region = the region of the { $symbol }
blockers-where-any = any cell

blockers-take = Capture
blockers-discard = Discard
blockers-choose = Choose a tile
blockers-choose-cell = Choose a lit cell
blockers-choose-capture = Choose a tile to capture
blockers-choose-both = Choose a lit cell, or a tile to capture
blockers-choose-fit = Which tile on { $cell }?
blockers-choose-discard = Choose the tile to discard
blockers-choose-marked = Now choose one of the marked tiles for { $cell }.
blockers-effect = Groups: { $before } → { $after } · points: { $points } → { $sum }
blockers-chosen = { $tile }. Free cells: { $free }. Captures: { $captures }.
blockers-free = free
blockers-can-lay = The tile may go here.
blockers-can-capture = It can be captured.
blockers-protected = It is protected.
blockers-not-here = On { $cell } it does not match: { $tile } goes to { $where }.
blockers-none-here = None of your tiles matches { $cell }.
blockers-own = Protected: { $tile } on { $cell } is your own.
blockers-splits = Protected: without { $tile } on { $cell } its group would break into { $parts } pieces.
blockers-stopped = Your { $colour } has stopped: its last four tiles stay on the rack.
blockers-nowhere = There is no cell for { $tile } now.

blockers-banner-last = Your last turn
blockers-banner-last-other = Last turn of { $name }
blockers-banner-last-capture = Your last turn: you must capture
blockers-banner-capture = No free cell fits: you must capture
blockers-banner-discard = Nothing fits anywhere: show your rack and discard a tile

blockers-say-laid = { $name } lays { $tile } on { $cell }.
blockers-say-captured = { $name } lays { $tile } on { $cell } and captures { $taken }.
blockers-say-groups =
    { $how ->
        [fewer] Groups of { $colour }: { $after } instead of { $before }.
        [more] A new group of { $colour }, now { $after }.
       *[same] Groups of { $colour }: still { $after }.
    }
blockers-say-discarded = { $name } can lay nothing, shows { $rack }, and discards { $tile }.
blockers-say-drawn = You draw { $tile }.
blockers-say-scored =
    { $groups ->
        [one] { $name }: { $groups } group, { $score } in all.
       *[other] { $name }: { $groups } groups, { $score } in all.
    }
blockers-say-scored-captures =
    { $groups ->
        [one] { $name }: { $groups } group and { $captures } captured ({ $colour }, the most), { $score } in all.
       *[other] { $name }: { $groups } groups and { $captures } captured ({ $colour }, the most), { $score } in all.
    }
blockers-score =
    { $groups ->
        [one] { $score } = { $groups } group + { $counted } captured in one colour
       *[other] { $score } = { $groups } groups + { $counted } captured in one colour
    }
blockers-score-uptown =
    { $groups ->
        [one] { $groups } group ({ $captures } captured)
       *[other] { $groups } groups ({ $captures } captured)
    }
blockers-move-discarded = discarded
blockers-move-groups =
    { $count ->
        [one] { $count } group
       *[other] { $count } groups
    }
blockers-no-captures = no captures
blockers-because =
    { $counted ->
        [0] The lowest total wins: { $first } against { $second }.
       *[other] { $groups } groups and { $counted } captured in one colour: { $first } points. The next has { $second }; the lowest total wins.
    }
blockers-because-tie = Equal scores ({ $same }): fewer captures decide, { $first } against { $second }.
blockers-graph = Points: the fewest win

genial-board = board of hexagons
genial-board-label = Board. Keys: 1 to 6 choose a tile, arrows move, R turns, F flips, N goes to the next possible place, Enter places, Escape cancels.
genial-hand = Your tiles
genial-scores = Markers
genial-lowest = lowest
genial-bag =
    { $count ->
        [one] { $count } tile in the bag
       *[other] { $count } tiles in the bag
    }
genial-turn = Turn
genial-swap = Swap them all
genial-keep = Keep them
genial-choose = Choose a tile
genial-choose-first = First choose a tile from your hand.
genial-not-here = This tile does not fit here.
genial-not-here-first = Your first tile must touch a printed symbol that no tile touches yet.
genial-free = free
genial-no-fit = The tile does not fit here.
genial-ghost-words =
    { $points ->
        [one] With { $second }: { $points } point.
       *[other] With { $second }: { $points } points.
    }
genial-tile-words = { $first } and { $second }
genial-shout = Génial!
genial-banner-first = First tile: beside a printed symbol that has no neighbour
genial-banner-bonus =
    { $count ->
        [one] Génial! Lay a bonus tile
       *[other] Génial! Lay { $count } bonus tiles
    }
genial-banner-bonus-other = Génial! Bonus for { $name }
genial-banner-swap = No tile in your lowest colour: swap your hand?
genial-banner-swap-other = { $name } may swap hands
genial-board-help = Rows run from a at the bottom to o at the top; numbers grow to the right.
genial-row = Row { $row }:
genial-row-empty = empty
genial-last = Last tile: { $first }, { $second }
genial-say-placed = { $name } lays { $tile } on { $first } and { $second }.
genial-say-nothing = No points.
genial-say-half = { $points } for { $colour } ({ $cells }).
genial-say-genial = Génial! { $name } has { $colours } at the end of the track and lays a bonus tile.
genial-say-swapped = { $name } shows { $tiles } and takes a new hand.
genial-say-kept = { $name } keeps the hand.
genial-say-drawn = You draw { $tiles }.
genial-score = lowest colour: { $lowest }, then { $others }
genial-score-duel =
    { $won ->
        [one] { $won } colour won
       *[other] { $won } colours won
    }, lowest { $lowest }
genial-alone =
    { $lowest ->
        [36] All six markers on { $lowest }: nobody can do better!
       *[other] Your result: { $lowest }
    }

genial-key-flip = exchange its halves
genial-key-swap = swap your tiles, or keep them
genial-unseen = Not seen yet
genial-turn-tip = Turn the tile: R, or the wheel of the mouse
genial-move-swapped = new hand
genial-move-kept = keeps the hand
genial-because = The lowest colour decides: { $first } against { $second }.
genial-because-tie = Equal lowest colours ({ $same }): the next colour decides, { $first } against { $second }.
genial-because-duel = Colours won: { $first } against { $second }.
genial-graph = Lowest colour

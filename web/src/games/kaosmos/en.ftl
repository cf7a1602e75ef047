kaosmos-board = galaxy
kaosmos-board-label = Galaxy. Keys: 1 to 9 choose a tile, arrows move, Enter lays or takes up, R turns, Delete takes back, G B O choose a bonus tile, D reserves it or is done.
kaosmos-round = Round { $round } of 5
kaosmos-card-soon = The card is being turned…
kaosmos-card-none = Without Kaos cards
kaosmos-packet = Draft packet
kaosmos-tray = Your tiles
kaosmos-face-down =
    { $count ->
        [one] { $count } tile, face down until the timer starts
       *[other] { $count } tiles, face down until the timer starts
    }
kaosmos-markers = Markers
kaosmos-total = Total
kaosmos-lowest = lowest
kaosmos-empty = empty
kaosmos-free = free
kaosmos-nothing = nothing
kaosmos-waiting = Your tiles lie face down. Still choosing: { $names }
kaosmos-kept =
    { $count ->
        [one] { $count } tile kept, face down
       *[other] { $count } tiles kept, face down
    }
kaosmos-keep-help = Keep three; the other { $count } go to { $name }.
kaosmos-last-unseen = The last three come unseen.
kaosmos-keep = Keep, pass on to { $name }
kaosmos-keep-more =
    { $count ->
        [one] Choose { $count } more
       *[other] Choose { $count } more
    }
kaosmos-passes = passes to { $name }
kaosmos-chooses = chooses
kaosmos-is-done = done
kaosmos-galaxy-of = Galaxy of { $name }
kaosmos-galaxy-yours = Your galaxy
kaosmos-look = Look at the galaxy of { $name }
kaosmos-back = Back to mine
kaosmos-choose-first = First choose one of your tiles.
kaosmos-no-turning = Tiles may not be turned in this round.
kaosmos-said-put = { $slot }: { $tile }
kaosmos-said-lift = { $slot } is free again.
kaosmos-said-leave = Left out: { $tile }
kaosmos-said-pick =
    { $count ->
        [one] { $tile }. { $count } chosen.
       *[other] { $tile }. { $count } chosen.
    }
kaosmos-field-words =
    { $planets ->
        [0] { $colour }
        [one] { $colour } with a planet
       *[other] { $colour } with { $planets } planets
    }
kaosmos-constellation = constellation
kaosmos-no-arms = no line
kaosmos-arms-words = line to { $ways }
kaosmos-way-N = the top
kaosmos-way-E = the right
kaosmos-way-S = the bottom
kaosmos-way-W = the left
kaosmos-aside = Leave the chosen tile out
kaosmos-aside-short = out
kaosmos-aside-holds = Left out: { $tile }
kaosmos-bonuses = Bonus tiles
kaosmos-bonus = Reserve the bonus tile { $colour }
kaosmos-bonus-free = { $colour }: still there
kaosmos-bonus-taken = { $colour }: reserved by { $name }
kaosmos-has-bonus = has the bonus tile { $colour }
kaosmos-laid =
    { $count ->
        [one] { $count } tile laid
       *[other] { $count } tiles laid
    }
kaosmos-finish = Done
kaosmos-take =
    { $count ->
        [one] Done, with the bonus tile
       *[other] Done, with { $count } bonus tiles
    }
kaosmos-reserve =
    { $count ->
        [one] Reserve the bonus tile
       *[other] Reserve { $count } bonus tiles
    }
kaosmos-reserve-anyway = Reserve anyway
kaosmos-unfinished = Your galaxy is not finished: the missing tiles will be placed at random.
kaosmos-build-on = Continue building
kaosmos-done = Done
kaosmos-bonus-open = Bonus tiles can still be reserved.
kaosmos-done-waiting = Done. Waiting for { $names }
kaosmos-live = What your galaxy scores now
kaosmos-scale-green = Green zones: 3–5 planets score 1 point, 6–8 score 3, 9 or more score 5.
kaosmos-scale-blue = Blue zones: 2–4 planets score 2 points, 5–7 score 4, 8 or more score 6.
kaosmos-scale-orange = Orange zones: 2–3 planets score 2 points, 4–6 score 5, 7 or more score 7.
kaosmos-scale-star = The longest path: 4–5 tiles score 1 point, 6–8 score 2, all 9 score 4.
kaosmos-largest = largest zone: { $count }
kaosmos-path = longest path: { $count }
kaosmos-seconds-left =
    { $count ->
        [one] { $count } second left
       *[other] { $count } seconds left
    }
kaosmos-ready =
    { $count ->
        [one] Building begins in { $count } second
       *[other] Building begins in { $count } seconds
    }
kaosmos-get-ready = Ready?
kaosmos-starts-in = Starts in
kaosmos-count-down = Ready? Three … two … one …
kaosmos-banner-interfere = Choose a tile of { $name } that will turn
kaosmos-banner-transfer = Move points, if you like
kaosmos-interfere-help = Tap a tile in the galaxy of { $name }. It will turn a quarter clockwise; until all have chosen, nobody sees which.
kaosmos-interfere = Turn the tile on { $slot }
kaosmos-interfere-none = Choose a tile
kaosmos-chosen-waiting = Your choice is made. The others are still choosing.
kaosmos-transfer-help = From which colour to which?
kaosmos-transfer-which = From one colour to another
kaosmos-transfer-pair = from { $source } to { $target }
kaosmos-transfer-points = How many points
kaosmos-transfer =
    { $points ->
        [one] Move { $points } point from { $source } to { $target }
       *[other] Move { $points } points from { $source } to { $target }
    }
kaosmos-transfer-none = Move no points
kaosmos-count = Count in detail
kaosmos-filled =
    { $count ->
        [one] { $count } tile was placed at random.
       *[other] { $count } tiles were placed at random.
    }
kaosmos-count-of = Whose count
kaosmos-recount = The last count
kaosmos-count-on = Continue
kaosmos-count-skip = Show all at once
kaosmos-count-zone =
    { $planets ->
        [one] zone of { $planets } planet
       *[other] zone of { $planets } planets
    }
kaosmos-count-small =
    { $count ->
        [one] one zone without points ({ $planets })
       *[other] { $count } zones without points ({ $planets })
    }
kaosmos-count-path =
    { $length ->
        [0] no asteroid path
        [one] path of { $length } tile
       *[other] longest path: { $length } tiles
    }
kaosmos-count-won = bonus { $colour } won: largest zone { $own }, others at most { $others }
kaosmos-count-lost = bonus { $colour } lost: largest zone { $own }, another has { $others }
kaosmos-count-constellation-sizes =
    { $count ->
        [one] Kaos: { $count } constellation field
       *[other] Kaos: { $count } constellation fields together
    }
kaosmos-count-colour-zones = Kaos: { $colour } zone with a planet
kaosmos-count-largest-only = Kaos: largest zone { $colour }
kaosmos-count-balance = Kaos: enough points in every colour
kaosmos-count-clamped = { $colour }: the track ends at { $at }
kaosmos-score = lowest colour ({ $colour }) { $low } + star { $star } = { $score }
kaosmos-say-round = Round { $round }.
kaosmos-say-card = Kaos card: { $card }. { $text }
kaosmos-say-building = Build!
kaosmos-say-timer = Building: the timer runs for { $count } seconds.
kaosmos-say-kept = { $name } keeps { $count } tiles.
kaosmos-say-placed = { $name }, { $slot }: { $tile }.
kaosmos-say-lifted = { $name } takes the tile on { $slot } back.
kaosmos-say-aside = { $name } leaves out: { $tile }.
kaosmos-say-grabbed =
    { $count ->
        [one] { $name } reserves the bonus tile { $colours }.
       *[other] { $name } reserves the bonus tiles { $colours }.
    }
kaosmos-say-locked = { $name } is done.
kaosmos-say-time = Time is up.
kaosmos-say-filled =
    { $count ->
        [one] Luck places { $count } tile for { $name }.
       *[other] Luck places { $count } tiles for { $name }.
    }
kaosmos-say-turned = { $name } turns the tile of { $owner } on { $slot }.
kaosmos-say-counted = { $name } counts: { $reasons }. Now { $markers }.
kaosmos-say-transferred =
    { $points ->
        [one] { $name } moves { $points } point from { $source } to { $target }.
       *[other] { $name } moves { $points } points from { $source } to { $target }.
    }
kaosmos-say-kept-points = { $name } moves no points.

kaosmos-key-take = take up the tile under the cursor
kaosmos-key-lift = take it back
kaosmos-key-leave = leave it out, where a card asks
kaosmos-key-bonus = choose a bonus tile
kaosmos-key-done = reserve it, or be done
kaosmos-move-round = Round { $round }
kaosmos-move-bonus = reserves
kaosmos-move-filled =
    { $count ->
        [one] { $count } tile at random
       *[other] { $count } tiles at random
    }
kaosmos-move-kept =
    { $count ->
        [one] keeps { $count } tile
       *[other] keeps { $count } tiles
    }
kaosmos-move-transferred =
    { $points ->
        [one] moves { $points } point
       *[other] moves { $points } points
    }
kaosmos-because = Lowest colour plus star: { $first } against { $second }.
kaosmos-because-tie = Equal totals ({ $same }): the lower star decides, { $first } against { $second }.
kaosmos-short-une-dimension = One row of nine tiles
kaosmos-short-univers-paralleles = Two squares of two by two
kaosmos-short-derive = Any shape, all connected
kaosmos-short-constellation = +1 star per zone of constellations
kaosmos-short-vide-sideral = Zones of constellations: up to +5 star
kaosmos-short-floraison = +1 green per green zone with a planet
kaosmos-short-grand-gel = +1 blue per blue zone with a planet
kaosmos-short-vent-de-sable = +1 orange per orange zone with a planet
kaosmos-short-ingerence = Everyone turns a neighbour’s tile
kaosmos-short-transfert = Move up to 3 points
kaosmos-short-mutation = Green and orange swap their tables
kaosmos-short-pluie-d-asteroides = The longest path counts double
kaosmos-short-breche = Arms do not cut zones
kaosmos-short-trou-noir = The middle stays empty
kaosmos-short-temps-contracte = A third less time
kaosmos-short-gyroscope-bloque = Tiles may not be turned
kaosmos-short-quitte-ou-double = Bonus tiles: +5 or −4
kaosmos-short-loterie = No draft
kaosmos-short-equilibre = +3 star if each colour scores 2
kaosmos-short-supernova = One zone per colour, with +2
kaosmos-card-round = Kaos · round { $round }
kaosmos-card-seen = I have seen the card
kaosmos-time-up = Time is up
kaosmos-filled-how = Luck chose their places and directions. Your other tiles stay where they are.
kaosmos-see-count = See the count
kaosmos-all-ready = Everyone is ready: { $count } seconds for your tiles.
kaosmos-still-looking = { $names } looks at the count. Clocks wait.
kaosmos-graph = Lowest colour and star

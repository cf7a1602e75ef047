# The shell of the app. Games have their own words in games/<game>/en.ftl.

nav = Pages
games = Games
home-title = Three games, one click
home-line = Play against bots or with friends. No account, nothing to install.
home-foot = Tuilerie is free software. The games are by their authors; the rules are explained in our own words.
game-genial = Génial!
game-genial-by = by Reiner Knizia · also known as Ingenious
game-genial-line = Lay tiles with two symbols and continue their lines. Only your lowest colour counts.
game-blockers = Blockers!
game-blockers-by = by Kory Heath · also known as Uptown
game-blockers-line = Keep your tiles together in few groups, and capture with care. The lowest score wins.
game-kaosmos = Kaosmos
game-kaosmos-by = by Kane Klenko · also known as Cosmic Factory
game-kaosmos-line = Build a galaxy of nine tiles against the timer, under a rule that changes every round.
play-now = Play now
play-now-at = Play { $game } now
play-friends = With friends
play-friends-at = Play { $game } with friends
against = Against
against-nobody = nobody (solo)
level = Level
timer = Sand timer
bots-count =
    { $count ->
        [one] { $count } bot
       *[other] { $count } bots
    }
alone = alone
game-genial-alone = Alone you have tracks to 36: how far does your lowest colour get?
learn = Learn to play
never-played = Never played? Learn it in a few minutes
learn-game = Learn { $game }
rules = Rules
rules-of = The rules of { $game }
rules-chapters = Chapters
go-on = Resume
my-games = My games
with = with { $names }
waiting-for-players = waiting for players
bot-number = Bot { $number }
guest = Player
you = You

lobby = Lobby
lobby-text = Tables that anybody may join.
lobby-empty = No open tables at the moment. Open one, and it will appear here.
seats-open =
    { $count ->
        [0] No free seat
        [one] { $count } free seat
       *[other] { $count } free seats
    }
back-home = Home

new-table = A new table
seats = Seats
players = Players
where = How do you meet?
where-link = By a link
where-lobby = In the lobby
where-device = On this device
where-link-text = You get a link and a QR code. Anyone who has the link can sit down.
where-lobby-text = Everybody sees the table in the lobby and can sit down.
where-device-text = Pass the device around. A screen hides the tiles between two players.
where-device-untimed = You build one after the other, so there is no timer.
name-of-player = Name of player { $number }
player-number = Player { $number }
clock = Clock
clock-none = no clock
clock-move = { $seconds } s per move
clock-day =
    { $count ->
        [one] one day per move
       *[other] { $count } days per move
    }
clock-game = { $minutes } min + { $increment } s per move
watching = Spectators
watching-live = by the link
watching-delayed = by the link, a minute late
watching-none = nobody
options = Options of the game
value-genial-variant-standard = standard
value-genial-variant-solo = alone
value-genial-variant-teams = two against two
value-genial-variant-duel = duel
who-begins = Who begins
who-begins-seat = the first seat
who-begins-lot = by lot
who-begins-text = In the rulebook the youngest player begins.
value-blockers-scoring-blockers = groups and captures
value-blockers-scoring-uptown = groups only
create-table = Open the table
yes = yes
no = no
none = none
seconds = { $count } s

settings = Settings
your-name = Your name
language = Language
theme = Theme
theme-system = same as device
theme-light = light
theme-dark = dark
sounds = Sounds
on = on
off = off
motion = Animations
motion-system = same as device
motion-full = all
motion-reduce = reduced
text-board = The table as text
close = Close

account = Your account

join-title = Join a table of { $game }
join-with = At the table: { $names }
sit-down = Sit down
join-account = Have an account? Log in first
join-as = You are logged in as { $name }: this game will be listed among yours.
seat-open = free seat
add-bot = Add a bot
link = Link to the table

connecting = Connecting…
loading = One moment…
log-in = Log in
watch = Watch
colon = :
lost-title = There is nothing here
lost-text = The address leads nowhere. Perhaps a part of it got lost.
offline-title = No connection
offline-text = Tuilerie cannot reach its server. Your games are safe there; try again when you are back online.
try-again = Try again
rule-offline = The server cannot be reached. Try again in a moment.
rule-slow-down = That was a little too much at once. Try again in { $wait } seconds.
rule-no-such-table = There is no such table. Perhaps a part of the link got lost.
rule-game-not-over = This game is not over yet. It can be looked back at when it is.
rule-no-such-token = This link to a seat is no longer valid.
rule-no-spectators = Only the players may watch this table.
rule-no-seat = You no longer have a seat at this table.
rule-store-unavailable = The server cannot save games just now. Try again in a moment.
refused = This is not possible now ({ $rule }).

history = History
history-empty = Nothing has happened yet.
table-menu = Table
your-turn = Your turn
turn-of =
    { $count ->
        [one] { $names } is playing
       *[other] { $names } are playing
    }
game-over = The game is over
you-won = You have won!
you-shared = You share first place!
you-lost =
    { $place ->
        [2] You came { $place }nd
        [3] You came { $place }rd
       *[other] You came { $place }th
    }
team-won = Your team has won!
teams-shared = Both teams share first place!
team-lost = The other team has won
resign = Resign
away = away
spectators =
    { $count ->
        [one] { $count } spectator
       *[other] { $count } spectators
    }
table-seated = { $name } sits down.
table-bot-seated = { $name } takes a seat.
table-vacated = { $name } gets up.
table-started = The game begins.
table-left = { $name } has left.
table-returned = { $name } is back.
table-taken-over = A bot plays for { $name }.
table-handed-back = { $name } plays on.
table-flagged = { $name } is out of time: a bot plays.
table-flagged-you = You are out of time: a bot plays for you.
table-taken-back = The last move is taken back.
table-resigned = { $name } resigns.
example = A drawn example

replay = Look back
replay-open = Open a game file
replay-none = Your finished games will appear here.
has-resigned = has resigned
bot-plays = a bot plays
undo = Undo
end-turn = End turn
turn-held = End your turn
turn-end = End of turn
turn-end-0 = at once
turn-end-3 = after 3 s
turn-end-10 = after 10 s
turn-end-press = when I end it
assisted = assisted
rule-no-hint-now = The bots are busy. Try again in a moment.
rule-hints = That was a little too much at once. Try again in a moment.
table-closed-title = This table is closed
table-closed-text = Its host has closed it.
table-hinted = { $name } asks for a hint.
table-resigned-you = You resign.
table-hinted-you = You ask for a hint.
table-seated-you = You sit down.
for-players =
    { $count ->
        [one] { $count } player
       *[other] { $count } players
    }
game-for = { $game } for { $players ->
        [1] one
        [2] two
        [3] three
        [4] four
        [5] five
        [6] six
       *[other] { $players }
    }
level-of = Level of { $name }
remove-player = Remove { $name }
seat-free-again = You have no seat at this table any more.
lobby-waiting = Waiting for players
lobby-playing = Being played
all-games = All
open-a-table = Open a table
sit-down-at = Sit down: { $game }, { $names }
watch-game = Watch { $game }, { $names }
watching-delayed-short = a minute late
moves-made =
    { $count ->
        [one] { $count } move
       *[other] { $count } moves
    }
games-going = In play
games-going-none = No game in play. Start one from the home page.
games-over = Finished
opened-ago = opened { $ago }
play = Play
place = Place
look-back-short = Look back
won = won
won-by = won by { $names }
shared-with = first place shared with { $names }
by-resignation = by resignation
points-count =
    { $count ->
        [one] { $count } point
       *[other] { $count } points
    }

# Without a server
engine-loading = Getting the games ready…
without-server = played without the server
here-away = The server cannot be reached.
here-play = Play here
here-playing = New games are played in this browser, without the server.
here-back = Use the server again
offline-keep = Keep on this device
offline-keep-text = Play without a network: against bots or around this device (5 MB to fetch, 40 MB kept).
offline-kept = The games are kept on this device: you can play without a network.
needs-server = Everything here runs in your browser. Tables for friends far away, the lobby and accounts need a server.
rule-engine-away = The games cannot be loaded. Try again with a network.
rule-engine-broken = The games arrived damaged. Try again.
rule-needs-server = This needs a server.
rule-other-tab = This game is open in another tab. Close that one, or go on there.
rule-storage-full = This browser has no room left to save the game. Your last move was not made; free some space and try again.
rule-storage-refused = This browser does not allow saving games, as in private mode. Nothing was changed.
rule-local-damaged = This saved game cannot be read: { $why }.
just-now = just now

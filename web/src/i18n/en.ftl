# The shell of the app. Games have their own words in games/<game>/en.ftl.

nav = Pages
games = Games
home-title = Three games, one click
home-line = Play against bots or with friends. No account, nothing to install.
home-foot = Tuilerie is free software. The games are by their authors; the rules are told in our own words.
game-genial = Génial!
game-genial-line = Lay tiles with two symbols and continue their lines. Only your lowest colour counts.
game-blockers = Blockers!
game-blockers-line = Keep your tiles together in few groups, and capture with care. The lowest score wins.
game-kaosmos = Kaosmos
game-kaosmos-line = Build a galaxy of nine tiles against the timer, under a rule that changes every round.
play-now = Play now
play-now-at = Play { $game } now
play-friends = With friends
play-friends-at = Play { $game } with friends
against = Against
against-nobody = nobody
level = Level
glass = Sand timer
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
learn-step = Step { $step } of { $steps }
learn-next = Next
learn-skip = Skip this step
learn-back = Back
learn-again = Try again
learn-first-game = Play a first game
rules = Rules
rules-of = The rules of { $game }
go-on = Go on
my-games = My games
with = with { $names }
waiting-for-players = waiting for players
bot-number = Bot { $number }
guest = Player
you = You

lobby = Lobby
lobby-text = Tables that anybody may join.
lobby-empty = No open table just now. Open one from the first page, and it stands here.
seats-open =
    { $count ->
        [0] No free seat
        [one] { $count } free seat
       *[other] { $count } free seats
    }
back-home = To the first page

new-table = A table for { $game }
players = Players
where = How do you meet?
where-link = By a link
where-lobby = In the lobby
where-device = On this device
where-link-text = You get a link and a code for a camera. Whoever has it can sit down.
where-lobby-text = Everybody sees the table in the lobby and can sit down.
where-device-text = Pass the device around. A curtain falls between hidden hands.
where-device-untimed = You build one after the other, so there is no timer.
name-of-player = Name of player { $number }
player-number = Player { $number }
clock = Clock
clock-none = no clock
clock-move = { $seconds } seconds a move
clock-day =
    { $count ->
        [one] a day a move
       *[other] { $count } days a move
    }
clock-game = { $minutes } min + { $increment } s a move
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
hours = { $count } h

settings = Settings
your-name = Your name
language = Language
theme = Colours
theme-system = as the device
theme-light = light
theme-dark = dark
sounds = Sounds
on = on
off = off
motion = Movement
motion-system = as the device
motion-full = all
motion-reduce = little
text-board = The table as text
close = Close

account = Your account

join-title = Join a table of { $game }
join-with = At the table: { $names }
sit-down = Sit down
join-account = You have an account? Log in first
join-as = You are logged in as { $name }: this game will stand among yours.
waiting-room = Waiting
everyone-here = Everyone is here. The game begins when all are ready.
seat-open = free seat
that-is-you = (you)
ready = ready
not-ready = not ready
i-am-ready = I am ready
not-ready-after-all = Wait, I am not ready
add-bot = Add a bot
remove-bot = Remove { $name }
share-title = Invite others
share-watch = Let others watch
other-device = Go on with another device
other-device-text = Open this link there, or point its camera at the code: it leads to your own seat. Keep it to yourself.
qr-seat = Code for a camera with the link to your seat
share-text = Send this link, or let them point a camera at the code.
link = Link to the table
copy = Copy
copied = Copied
send-link = Send the link
qr = Code for a camera with the link to this table

connecting = Connecting…
reconnecting = Reconnecting…
loading = One moment…
seat-lost-title = Your seat is not on this device any more
seat-lost-text = You were logged out of your account. Log in to play on; a bot plays for you if you stay away.
log-in = Log in
watch = Watch
colon = :
no-table-title = This table cannot be opened
lost-title = There is nothing here
lost-text = The address leads nowhere. Perhaps a part of it got lost.
offline-title = No connection
offline-text = Tuilerie cannot reach its server. Your games are safe there; try again when you are back online.
try-again = Try again
rule-offline = The server cannot be reached. Try again in a moment.
rule-slow-down = That was a little too much at once. Try again in { $wait } seconds.
rule-no-such-table = There is no such table. Perhaps a part of the link got lost.
rule-game-not-over = This game is not over yet. It can be looked back at when it is.
rule-no-such-token = This link to a seat is not valid any more.
rule-no-spectators = Only the players may watch this table.
rule-no-seat = You hold no seat at this table any more.
rule-store-unavailable = The server cannot keep games just now. Try again in a moment.
refused = This is not possible now ({ $rule }).

scores = Scores
hand = Your tiles
history = History
history-empty = Nothing has happened yet.
table-menu = Table
keys = Keys
key-help = this list
your-turn = Your turn
your-turn-named = { $name }, your turn
bot-for-you = A bot plays for you
turn-bot = A bot plays for { $name }
turn-away = { $name } is away
turn-of =
    { $count ->
        [one] { $names } is playing
       *[other] { $names } are playing
    }
drawing = Drawing…
get-ready = Get ready
game-over = The game is over
result = Result
you-won = You have won!
you-shared = You share the first place!
you-lost = You take place { $place }
team-won = Your team has won!
teams-shared = Both teams share the first place!
team-lost = The other team has won
reason-resigned = A player has resigned.
reason-left = A player has left the table.
rematch = Play again
rematch-waits = Waiting for the others…
rematch-asked = { $names } would like to play again.
rematch-agree = Yes, play again
look-back = Look back at the game
resign = Resign
resign-sure = Really resign? Click again
takeback = Take my last move back
takeback-cannot = Nothing can be taken back now. A move can be, until a tile is drawn or somebody else plays.
takeback-waits = Waiting for an answer…
takeback-asked = { $name } would like to take the last move back. Allow it?
here = here
away = away
spectators =
    { $count ->
        [one] { $count } spectator
       *[other] { $count } spectators
    }
watch-delay = You see this table { $seconds } seconds late.
watch-delay-begins = The game may have begun already; it will show here by itself.
reactions = Say something
reaction-hello = 👋 Hello!
reaction-well-played = 👏 Well played!
reaction-thinking = 🤔 Let me think…
reaction-oops = 🙈 Oops!
reaction-laugh = 😄 Ha ha!
reaction-wow = 🤩 Wow!
reaction-thanks = 🙂 Thank you!
reaction-sorry = 😅 Sorry!
reaction-bye = 👋 Goodbye!
table-seated = { $name } sits down.
table-bot-seated = { $name } takes a seat.
table-vacated = { $name } gets up.
table-started = The game begins.
table-left = { $name } has left.
table-returned = { $name } is back.
table-taken-over = A bot plays for { $name }.
table-handed-back = { $name } plays on.
table-flagged = The time of { $name } is over: a bot plays.
table-flagged-you = Your time is over: a bot plays for you.
table-taken-back = The last move is taken back.
table-resigned = { $name } resigns.
example = A drawn example
curtain-pass = Pass the device to
curtain-open = I am { $name }

replay = Look back
replay-open = Open a record from this device
replay-mine = Your finished games
replay-none = Your finished games will stand here.
replay-unreadable = This file is not the record of a game. { $why }
replay-at = { $step } of { $steps }
replay-begins = The beginning. Step on, or let it play.
replay-quiet = Tiles are drawn.
replay-breaks-off = The record breaks off here, at line { $line }: { $why }
replay-unfinished = The game was not played to its end.
replay-seen-by = Seen by
replay-seen-by-all = everyone
replay-first = To the beginning
replay-back = Back
replay-play = Play
replay-pause = Pause
replay-next = Next
replay-last = To the end
replay-step = Step
share-move = Share the game at this move
share-move-copied = The link to this move is copied.
share-move-address = The address bar now has the link to this move.
download = Download

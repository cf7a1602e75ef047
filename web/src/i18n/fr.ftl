# La page elle-même. Les mots des jeux sont dans games/<jeu>/fr.ftl.

nav = Pages
games = Jeux
home-title = Trois jeux, un clic
home-line = Jouez contre des robots ou entre amis. Sans compte, sans rien installer.
home-foot = Tuilerie est un logiciel libre. Les jeux sont à leurs auteurs ; les règles sont reformulées par nos soins.
game-genial = Génial!
game-genial-by = de Reiner Knizia · aussi connu sous le nom d’Ingenious
game-genial-line = Posez des tuiles à deux symboles et prolongez leurs lignes. Seule votre couleur la plus faible compte.
game-blockers = Blockers!
game-blockers-by = de Kory Heath · aussi connu sous le nom d’Uptown
game-blockers-line = Gardez vos tuiles en peu de groupes et capturez avec mesure. Le score le plus bas gagne.
game-kaosmos = Kaosmos
game-kaosmos-by = de Kane Klenko · aussi connu sous le nom de Cosmic Factory
game-kaosmos-line = Construisez une galaxie de neuf tuiles contre le sablier, sous une règle qui change à chaque manche.
play-now = Jouer
play-now-at = Jouer à { $game } maintenant
play-friends = Entre amis
play-friends-at = Jouer à { $game } entre amis
against = Contre
against-nobody = personne (solo)
level = Niveau
timer = Sablier
bots-count =
    { $count ->
        [one] { $count } robot
       *[other] { $count } robots
    }
alone = en solitaire
game-genial-alone = En solitaire, les pistes vont à 36 : jusqu’où ira votre couleur la plus faible ?
learn = Apprendre à jouer
never-played = Jamais joué ? Apprenez en quelques minutes
learn-game = Apprendre { $game }
rules = Règles
rules-of = Les règles de { $game }
rules-chapters = Chapitres
go-on = Reprendre
my-games = Mes parties
with = avec { $names }
waiting-for-players = en attente de joueurs
bot-number = Robot { $number }
guest = Joueur
you = Vous

lobby = Salon
lobby-text = Les tables ouvertes à tout le monde.
lobby-empty = Aucune table ouverte en ce moment. Ouvrez-en une, et elle apparaîtra ici.
seats-open =
    { $count ->
        [0] Aucun siège libre
        [one] { $count } siège libre
       *[other] { $count } sièges libres
    }
back-home = Accueil

new-table = Une nouvelle table
seats = Sièges
players = Joueurs
where = Comment vous retrouver ?
where-link = Par un lien
where-lobby = Au salon
where-device = Sur cet appareil
where-link-text = Vous recevez un lien et un QR code à scanner. Toute personne qui a le lien peut s’installer.
where-lobby-text = Tout le monde voit la table au salon et peut s’y installer.
where-device-text = Passez-vous l’appareil. Un écran cache les tuiles entre deux joueurs.
where-device-untimed = Vous construisez l’un après l’autre : il n’y a pas de sablier.
name-of-player = Nom du joueur { $number }
player-number = Joueur { $number }
clock = Pendule
clock-none = sans limite de temps
clock-move = { $seconds } s par coup
clock-day =
    { $count ->
        [one] un jour par coup
       *[other] { $count } jours par coup
    }
clock-game = { $minutes } min + { $increment } s par coup
watching = Spectateurs
watching-live = par le lien
watching-delayed = par le lien, une minute après
watching-none = personne
options = Options du jeu
value-genial-variant-standard = classique
value-genial-variant-solo = en solitaire
value-genial-variant-teams = deux contre deux
value-genial-variant-duel = duel
who-begins = Qui commence
who-begins-seat = le premier siège
who-begins-lot = au hasard
who-begins-text = D’après la règle du jeu, le plus jeune commence.
value-blockers-scoring-blockers = groupes et captures
value-blockers-scoring-uptown = groupes seuls
create-table = Ouvrir la table
yes = oui
no = non
none = aucun
seconds = { $count } s

settings = Réglages
your-name = Votre nom
language = Langue
theme = Thème
theme-system = comme l’appareil
theme-light = clair
theme-dark = sombre
sounds = Sons
on = oui
off = non
motion = Animations
motion-system = comme l’appareil
motion-full = toutes
motion-reduce = réduites
text-board = La table en texte
close = Fermer

account = Votre compte

join-title = Rejoindre une table de { $game }
join-with = À la table : { $names }
sit-down = S’installer
join-account = Vous avez un compte ? Connectez-vous d’abord
join-as = Vous êtes connecté, { $name } : cette partie sera parmi les vôtres.
seat-open = siège libre
add-bot = Ajouter un robot
link = Lien vers la table

connecting = Connexion…
loading = Un instant…
log-in = Se connecter
watch = Regarder
colon =  :
lost-title = Il n’y a rien ici
lost-text = Cette adresse ne mène nulle part. Il en manque peut-être un morceau.
offline-title = Pas de connexion
offline-text = Tuilerie ne joint pas son serveur. Vos parties y sont en sûreté ; réessayez une fois en ligne.
try-again = Réessayer
rule-offline = Le serveur ne répond pas. Réessayez dans un instant.
rule-slow-down = C’était un peu trop à la fois. Réessayez dans { $wait } secondes.
rule-no-such-table = Cette table n’existe pas. Il manque peut-être un morceau du lien.
rule-game-not-over = Cette partie n’est pas terminée. On pourra la revoir quand elle le sera.
rule-no-such-token = Ce lien vers un siège n’est plus valable.
rule-no-spectators = Seuls les joueurs peuvent regarder cette table.
rule-no-seat = Vous n’avez plus de siège à cette table.
rule-store-unavailable = Le serveur ne peut pas enregistrer de parties en ce moment. Réessayez dans un instant.
refused = Ce n’est pas possible maintenant ({ $rule }).

history = Déroulement
history-empty = Rien ne s’est encore passé.
table-menu = Table
your-turn = À vous de jouer
turn-of =
    { $count ->
        [one] { $names } joue
       *[other] { $names } jouent
    }
game-over = La partie est finie
you-won = Vous avez gagné !
you-shared = Victoire partagée !
you-lost = Vous terminez { $place }ᵉ
team-won = Votre équipe a gagné !
teams-shared = Les deux équipes partagent la victoire !
team-lost = L’autre équipe a gagné
resign = Abandonner
away = absent
spectators =
    { $count ->
        [one] { $count } spectateur
       *[other] { $count } spectateurs
    }
table-seated = { $name } s’installe.
table-bot-seated = { $name } s’installe.
table-vacated = { $name } quitte son siège.
table-started = La partie commence.
table-left = { $name } est parti.
table-returned = { $name } est de retour.
table-taken-over = Un robot joue pour { $name }.
table-handed-back = { $name } reprend la partie.
table-flagged = Le temps de { $name } est écoulé : un robot joue.
table-flagged-you = Votre temps est écoulé : un robot joue pour vous.
table-taken-back = Le dernier coup est annulé.
table-resigned = { $name } abandonne.
example = Un exemple dessiné

replay = Revoir
replay-open = Ouvrir un fichier de partie
replay-none = Vos parties finies se trouveront ici.
has-resigned = a abandonné
bot-plays = un robot joue
undo = Annuler
end-turn = Terminer mon tour
turn-held = Tour à terminer
turn-end = Fin du tour
turn-end-0 = aussitôt
turn-end-3 = après 3 s
turn-end-10 = après 10 s
turn-end-press = quand je le termine
assisted = assistée
rule-no-hint-now = Les robots sont occupés. Réessayez dans un instant.
rule-hints = C’est un peu trop d’un coup. Réessayez dans un instant.
table-closed-title = Cette table est fermée
table-closed-text = Son hôte l’a fermée.
table-hinted = { $name } demande un conseil.
table-resigned-you = Vous abandonnez.
table-hinted-you = Vous demandez un conseil.
table-seated-you = Vous vous installez.
for-players =
    { $count ->
        [one] { $count } joueur
       *[other] { $count } joueurs
    }
game-for = { $game } { $players ->
        [1] en solo
        [2] à deux
        [3] à trois
        [4] à quatre
        [5] à cinq
        [6] à six
       *[other] à { $players }
    }
level-of = Niveau de { $name }
remove-player = Retirer { $name }
seat-free-again = Vous n’avez plus de siège à cette table.
lobby-waiting = On attend des joueurs
lobby-playing = En ce moment
all-games = Tous
open-a-table = Ouvrir une table
sit-down-at = S’installer : { $game }, { $names }
watch-game = Regarder { $game }, { $names }
watching-delayed-short = une minute après
moves-made =
    { $count ->
        [one] { $count } coup
       *[other] { $count } coups
    }
games-going = En cours
games-going-none = Aucune partie en cours. Commencez-en une depuis l’accueil.
games-over = Terminées
opened-ago = ouverte { $ago }
play = Jouer
place = Rang
look-back-short = Revoir
won = gagnée
won-by = gagnée par { $names }
shared-with = première place partagée avec { $names }
by-resignation = par abandon
points-count =
    { $count ->
        [one] { $count } point
       *[other] { $count } points
    }

# Sans serveur
engine-loading = Préparation des jeux…
without-server = jouée sans le serveur
here-away = Le serveur est injoignable.
here-play = Jouer ici
here-playing = Les nouvelles parties se jouent dans ce navigateur, sans le serveur.
here-back = Revenir au serveur
offline-keep = Garder sur cet appareil
offline-keep-text = Jouez sans réseau : contre des robots ou autour de cet appareil (5 Mo à charger, 40 Mo gardés).
offline-kept = Les jeux sont gardés sur cet appareil : vous pouvez jouer sans réseau.
needs-server = Tout se passe ici dans votre navigateur. Les tables à distance, le salon et les comptes demandent un serveur.
rule-engine-away = Impossible de charger les jeux. Réessayez avec du réseau.
rule-engine-broken = Les jeux sont arrivés abîmés. Réessayez.
rule-needs-server = Il faut un serveur pour cela.
rule-other-tab = Cette partie est ouverte dans un autre onglet. Fermez-le, ou continuez là-bas.
rule-storage-full = Ce navigateur n’a plus de place pour enregistrer la partie. Votre dernier coup n’est pas joué ; libérez de la place et réessayez.
rule-storage-refused = Ce navigateur ne permet pas d’enregistrer des parties, comme en navigation privée. Rien n’a changé.
rule-local-damaged = Cette partie enregistrée est illisible : { $why }.
just-now = à l’instant

kaosmos-board = galaxie
kaosmos-board-label = Galaxie. Touches : 1 à 9 choisissent une tuile, les flèches déplacent, Entrée pose ou reprend en main, R tourne, Suppr enlève, G B O choisissent une tuile bonus, D la réserve ou termine.
kaosmos-round = Manche { $round } sur 5
kaosmos-card-soon = La carte va être retournée…
kaosmos-card-none = Sans cartes Kaos
kaosmos-packet = Paquet du draft
kaosmos-tray = Vos tuiles
kaosmos-face-down =
    { $count ->
        [one] { $count } tuile, face cachée jusqu’au départ du sablier
       *[other] { $count } tuiles, face cachée jusqu’au départ du sablier
    }
kaosmos-markers = Marqueurs
kaosmos-total = Total
kaosmos-lowest = la plus faible
kaosmos-empty = vide
kaosmos-free = libre
kaosmos-nothing = rien
kaosmos-waiting = Vos tuiles sont face cachée. Choisissent encore : { $names }
kaosmos-kept =
    { $count ->
        [one] { $count } tuile gardée, face cachée
       *[other] { $count } tuiles gardées, face cachée
    }
kaosmos-keep-help = Gardez-en 3 ; les { $count } autres vont à { $name }.
kaosmos-last-unseen = Les trois dernières arrivent sans être vues.
kaosmos-keep = Garder, passer à { $name }
kaosmos-keep-more =
    { $count ->
        [one] Encore { $count } à choisir
       *[other] Encore { $count } à choisir
    }
kaosmos-passes = passe à { $name }
kaosmos-chooses = choisit
kaosmos-is-done = terminé
kaosmos-galaxy-of = Galaxie de { $name }
kaosmos-galaxy-yours = Votre galaxie
kaosmos-look = Regarder la galaxie de { $name }
kaosmos-back = Revenir à la mienne
kaosmos-choose-first = Choisissez d’abord une de vos tuiles.
kaosmos-no-turning = Les tuiles ne se tournent pas dans cette manche.
kaosmos-said-put = { $slot } : { $tile }
kaosmos-said-lift = { $slot } est de nouveau libre.
kaosmos-said-leave = Laissée de côté : { $tile }
kaosmos-said-pick =
    { $count ->
        [one] { $tile }. { $count } choisie.
       *[other] { $tile }. { $count } choisies.
    }
kaosmos-field-words =
    { $planets ->
        [0] { $colour }
        [one] { $colour } avec une planète
       *[other] { $colour } avec { $planets } planètes
    }
kaosmos-constellation = constellation
kaosmos-no-arms = sans ligne
kaosmos-arms-words = ligne vers { $ways }
kaosmos-way-N = le haut
kaosmos-way-E = la droite
kaosmos-way-S = le bas
kaosmos-way-W = la gauche
kaosmos-aside = Laisser de côté la tuile choisie
kaosmos-aside-short = de côté
kaosmos-aside-holds = Laissée de côté : { $tile }
kaosmos-bonuses = Tuiles bonus
kaosmos-bonus = Réserver la tuile bonus { $colour }
kaosmos-bonus-free = { $colour } : encore libre
kaosmos-bonus-taken = { $colour } : réservée par { $name }
kaosmos-has-bonus = a la tuile bonus { $colour }
kaosmos-laid =
    { $count ->
        [one] { $count } tuile posée
       *[other] { $count } tuiles posées
    }
kaosmos-finish = Terminé
kaosmos-take =
    { $count ->
        [one] Terminé, avec la tuile bonus
       *[other] Terminé, avec { $count } tuiles bonus
    }
kaosmos-reserve =
    { $count ->
        [one] Réserver la tuile bonus
       *[other] Réserver { $count } tuiles bonus
    }
kaosmos-reserve-anyway = Confirmer
kaosmos-unfinished = Galaxie inachevée : les tuiles manquantes seront posées au hasard.
kaosmos-build-on = Continuer à construire
kaosmos-done = Terminé
kaosmos-bonus-open = On peut encore réserver des tuiles bonus.
kaosmos-done-waiting = Terminé. On attend { $names }
kaosmos-live = Si c’était fini
kaosmos-scale-green = Zones vertes : 3–5 planètes rapportent 1 point, 6–8 en rapportent 3, 9 ou plus 5.
kaosmos-scale-blue = Zones bleues : 2–4 planètes rapportent 2 points, 5–7 en rapportent 4, 8 ou plus 6.
kaosmos-scale-orange = Zones orange : 2–3 planètes rapportent 2 points, 4–6 en rapportent 5, 7 ou plus 7.
kaosmos-scale-star = Le plus long chemin : 4–5 tuiles rapportent 1 point, 6–8 en rapportent 2, les 9 en rapportent 4.
kaosmos-largest = plus grande zone : { $count }
kaosmos-path = plus long chemin : { $count }
kaosmos-seconds-left =
    { $count ->
        [one] Encore { $count } seconde
       *[other] Encore { $count } secondes
    }
kaosmos-ready =
    { $count ->
        [one] Construction dans { $count } seconde
       *[other] Construction dans { $count } secondes
    }
kaosmos-get-ready = Prêts ?
kaosmos-starts-in = Départ dans
kaosmos-count-down = Prêts ? Trois … deux … un …
kaosmos-banner-interfere = Choisissez une tuile de { $name } qui tournera
kaosmos-banner-transfer = Déplacez des points, si vous voulez
kaosmos-interfere-help = Touchez une tuile de la galaxie de { $name }. Elle tournera d’un quart de tour à droite ; tant que tous n’ont pas choisi, personne ne voit laquelle.
kaosmos-interfere = Tourner la tuile en { $slot }
kaosmos-interfere-none = Choisissez une tuile
kaosmos-chosen-waiting = Votre choix est fait. Les autres choisissent encore.
kaosmos-transfer-help = De quelle couleur vers quelle autre ?
kaosmos-transfer-which = D’une couleur vers une autre
kaosmos-transfer-pair = de { $source } vers { $target }
kaosmos-transfer-points = Combien de points
kaosmos-transfer =
    { $points ->
        [one] Déplacer { $points } point de { $source } vers { $target }
       *[other] Déplacer { $points } points de { $source } vers { $target }
    }
kaosmos-transfer-none = Ne rien déplacer
kaosmos-count = Détail du décompte
kaosmos-filled =
    { $count ->
        [one] { $count } tuile a été posée au hasard.
       *[other] { $count } tuiles ont été posées au hasard.
    }
kaosmos-count-of = Le décompte de qui
kaosmos-recount = Le dernier décompte
kaosmos-count-on = Continuer
kaosmos-count-skip = Tout montrer
kaosmos-count-zone =
    { $planets ->
        [one] zone de { $planets } planète
       *[other] zone de { $planets } planètes
    }
kaosmos-count-small =
    { $count ->
        [one] une zone sans point ({ $planets })
       *[other] { $count } zones sans point ({ $planets })
    }
kaosmos-count-path =
    { $length ->
        [0] aucun chemin d’astéroïdes
        [one] chemin de { $length } tuile
       *[other] plus long chemin : { $length } tuiles
    }
kaosmos-count-won = bonus { $colour } gagné : plus grande zone { $own }, les autres { $others } au plus
kaosmos-count-lost = bonus { $colour } perdu : plus grande zone { $own }, un autre a { $others }
kaosmos-count-constellation-sizes =
    { $count ->
        [one] Kaos : { $count } case de constellation
       *[other] Kaos : { $count } cases de constellation réunies
    }
kaosmos-count-colour-zones = Kaos : zone { $colour } avec planète
kaosmos-count-largest-only = Kaos : plus grande zone { $colour }
kaosmos-count-balance = Kaos : assez de points dans chaque couleur
kaosmos-count-clamped = { $colour } : la piste s’arrête à { $at }
kaosmos-score = couleur la plus faible ({ $colour }) { $low } + étoile { $star } = { $score }
kaosmos-say-round = Manche { $round }.
kaosmos-say-card = Carte Kaos : { $card }. { $text }
kaosmos-say-building = Construisez !
kaosmos-say-timer = Construction : le sablier dure { $count } secondes.
kaosmos-say-kept = { $name } garde { $count } tuiles.
kaosmos-say-placed = { $name }, { $slot } : { $tile }.
kaosmos-say-lifted = { $name } enlève la tuile en { $slot }.
kaosmos-say-aside = { $name } laisse de côté : { $tile }.
kaosmos-say-grabbed =
    { $count ->
        [one] { $name } réserve la tuile bonus { $colours }.
       *[other] { $name } réserve les tuiles bonus { $colours }.
    }
kaosmos-say-locked = { $name } a terminé.
kaosmos-say-time = Temps écoulé.
kaosmos-say-filled =
    { $count ->
        [one] Le hasard pose { $count } tuile pour { $name }.
       *[other] Le hasard pose { $count } tuiles pour { $name }.
    }
kaosmos-say-turned = { $name } tourne la tuile de { $owner } en { $slot }.
kaosmos-say-counted = { $name } compte : { $reasons }. Maintenant { $markers }.
kaosmos-say-transferred =
    { $points ->
        [one] { $name } déplace { $points } point de { $source } vers { $target }.
       *[other] { $name } déplace { $points } points de { $source } vers { $target }.
    }
kaosmos-say-kept-points = { $name } ne déplace aucun point.

kaosmos-key-take = prendre la tuile sous le curseur
kaosmos-key-lift = l’enlever
kaosmos-key-leave = l’écarter, si une carte le demande
kaosmos-key-bonus = choisir une tuile bonus
kaosmos-key-done = la réserver, ou terminer
kaosmos-move-round = Manche { $round }
kaosmos-move-bonus = réserve
kaosmos-move-filled =
    { $count ->
        [one] { $count } tuile au hasard
       *[other] { $count } tuiles au hasard
    }
kaosmos-move-kept =
    { $count ->
        [one] garde { $count } tuile
       *[other] garde { $count } tuiles
    }
kaosmos-move-transferred =
    { $points ->
        [one] déplace { $points } point
       *[other] déplace { $points } points
    }
kaosmos-because = Couleur la plus faible plus étoile : { $first } contre { $second }.
kaosmos-because-tie = Totaux égaux ({ $same }) : l’étoile la moins avancée décide, { $first } contre { $second }.
kaosmos-short-une-dimension = Une seule rangée de neuf tuiles
kaosmos-short-univers-paralleles = Deux carrés de deux sur deux
kaosmos-short-derive = Forme libre, d’un seul tenant
kaosmos-short-constellation = +1 étoile par zone de constellations
kaosmos-short-vide-sideral = Zones de constellations : jusqu’à +5 étoile
kaosmos-short-floraison = +1 vert par zone verte avec planète
kaosmos-short-grand-gel = +1 bleu par zone bleue avec planète
kaosmos-short-vent-de-sable = +1 orange par zone orange avec planète
kaosmos-short-ingerence = Chacun tourne une tuile d’un voisin
kaosmos-short-transfert = Déplacez jusqu’à 3 points
kaosmos-short-mutation = Vert et orange échangent leurs tableaux
kaosmos-short-pluie-d-asteroides = Le plus long chemin compte double
kaosmos-short-breche = Les bras ne coupent pas les zones
kaosmos-short-trou-noir = Le milieu reste vide
kaosmos-short-temps-contracte = Sablier réduit d’un tiers
kaosmos-short-gyroscope-bloque = Les tuiles ne se tournent pas
kaosmos-short-quitte-ou-double = Tuiles bonus : +5 ou −4
kaosmos-short-loterie = Pas de draft
kaosmos-short-equilibre = +3 étoile si chaque couleur marque 2
kaosmos-short-supernova = Une seule zone par couleur, avec +2
kaosmos-card-round = Kaos · manche { $round }
kaosmos-card-seen = J’ai vu la carte
kaosmos-time-up = Temps écoulé
kaosmos-filled-how = Le hasard a choisi leurs emplacements et leur sens. Vos autres tuiles n’ont pas bougé.
kaosmos-see-count = Voir le décompte
kaosmos-all-ready = Tout le monde est prêt : { $count } secondes pour vos tuiles.
kaosmos-still-looking = { $names } regarde le décompte. Les pendules attendent.
kaosmos-graph = Couleur la plus faible et étoile

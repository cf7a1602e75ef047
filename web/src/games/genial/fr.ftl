genial-board = plateau d’hexagones
genial-board-label = Plateau. Touches : 1 à 6 choisissent une tuile, les flèches déplacent, R tourne, F retourne, N va à la prochaine place possible, Entrée pose, Échap reprend.
genial-hand = Vos tuiles
genial-player = Joueur
genial-scores = Marqueurs
genial-plays = joue
genial-lowest = la plus en retard
genial-bag =
    { $count ->
        [one] { $count } tuile dans le sac
       *[other] { $count } tuiles dans le sac
    }
genial-turn = Tourner
genial-cancel = Reprendre
genial-place = Poser
genial-swap = Tout changer
genial-keep = Les garder
genial-choose-first = Choisissez d’abord une tuile de votre main.
genial-not-here = Cette tuile ne va pas ici.
genial-not-here-first = Votre première tuile doit toucher un symbole imprimé que rien ne touche encore.
genial-free = libre
genial-no-fit = La tuile ne va pas ici.
genial-ghost-words =
    { $points ->
        [one] Avec { $second } : { $points } point.
       *[other] Avec { $second } : { $points } points.
    }
genial-tile-words = { $first } et { $second }
genial-shout = Génial !
genial-banner-first = Première tuile : à côté d’un symbole imprimé encore libre
genial-banner-bonus =
    { $count ->
        [one] Génial ! Posez une tuile bonus
       *[other] Génial ! Posez { $count } tuiles bonus
    }
genial-banner-bonus-other = Génial ! Bonus pour { $name }
genial-banner-swap = Rien dans votre couleur en retard : changer de main ?
genial-banner-swap-other = { $name } peut changer de main
genial-board-help = Les rangées vont de a, en bas, à o, en haut ; les nombres croissent vers la droite.
genial-row = Rangée { $row } :
genial-row-empty = vide
genial-last = Dernière tuile : { $first }, { $second }
genial-say-placed = { $name } pose { $tile } en { $first } et { $second }.
genial-say-nothing = Aucun point.
genial-say-half = { $points } en { $colour } ({ $cells }).
genial-say-genial = Génial ! { $name } a { $colours } au bout de la piste et pose une tuile bonus.
genial-say-swapped = { $name } montre { $tiles } et prend une nouvelle main.
genial-say-kept = { $name } garde sa main.
genial-say-drawn = Vous piochez { $tiles }.
genial-score = au plus bas { $lowest }, puis { $others }
genial-score-duel =
    { $won ->
        [one] { $won } couleur gagnée
       *[other] { $won } couleurs gagnées
    }, au plus bas { $lowest }
genial-alone =
    { $lowest ->
        [36] Les six marqueurs à { $lowest } : on ne peut pas faire mieux !
       *[other] Votre résultat : { $lowest }
    }

genial-key-choose = choisir une tuile
genial-key-place = son prochain emplacement, le précédent
genial-key-cell = une autre case
genial-key-turn = la tourner, dans un sens ou l’autre
genial-key-flip = échanger ses moitiés
genial-key-lay = la poser
genial-key-swap = échanger vos tuiles, ou les garder
genial-key-back = la reprendre

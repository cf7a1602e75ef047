genial-board = plateau d’hexagones
genial-board-label = Plateau. Touches : 1 à 6 choisissent une tuile, les flèches déplacent, R tourne, F retourne, N va au prochain emplacement possible, Entrée pose, Échap annule.
genial-hand = Vos tuiles
genial-scores = Marqueurs
genial-lowest = la plus faible
genial-bag =
    { $count ->
        [one] { $count } tuile dans le sac
       *[other] { $count } tuiles dans le sac
    }
genial-turn = Tourner
genial-swap = Tout échanger
genial-keep = Les garder
genial-choose = Choisissez une tuile
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
genial-banner-first = Première tuile : contre un symbole imprimé sans voisin
genial-banner-bonus =
    { $count ->
        [one] Génial ! Tour bonus : posez une autre tuile
       *[other] Génial ! { $count } tours bonus : posez une autre tuile
    }
genial-banner-bonus-other = Génial ! Tour bonus pour { $name }
genial-banner-swap = Rien dans votre couleur la plus faible : échanger votre main ?
genial-banner-swap-other = { $name } peut échanger sa main
genial-board-help = Les rangées vont de a, en bas, à o, en haut ; les nombres croissent vers la droite.
genial-row = Rangée { $row } :
genial-row-empty = vide
genial-last = Dernière tuile : { $first }, { $second }
genial-say-placed = { $name } pose { $tile } en { $first } et { $second }.
genial-say-nothing = Aucun point.
genial-say-half = { $points } en { $colour } ({ $cells }).
genial-say-genial = Génial ! { $name } a { $colours } au bout de la piste et gagne un tour bonus.
genial-say-swapped = { $name } montre { $tiles } et pioche une nouvelle main.
genial-say-kept = { $name } garde sa main.
genial-say-drawn = Vous piochez { $tiles }.
genial-score = couleur la plus faible : { $lowest }, puis { $others }
genial-score-duel =
    { $won ->
        [one] { $won } couleur gagnée
       *[other] { $won } couleurs gagnées
    }, la plus faible à { $lowest }
genial-alone =
    { $lowest ->
        [36] Les six marqueurs à { $lowest } : on ne peut pas faire mieux !
       *[other] Votre résultat : { $lowest }
    }

genial-key-flip = échanger ses moitiés
genial-key-swap = échanger vos tuiles, ou les garder
genial-unseen = Encore cachées
genial-turn-tip = Tourner la tuile : R, ou la molette
genial-move-swapped = nouvelle main
genial-move-kept = garde sa main
genial-because = La couleur la plus faible décide : { $first } contre { $second }.
genial-because-tie = Couleurs les plus faibles à égalité ({ $same }) : la couleur suivante décide, { $first } contre { $second }.
genial-because-duel = Couleurs gagnées : { $first } contre { $second }.
genial-graph = Couleur la plus faible

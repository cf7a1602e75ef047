blockers-board = plateau de neuf cases sur neuf
blockers-board-label = Plateau. Touches : 1 à 9 et 0 choisissent une tuile, les flèches déplacent, Entrée pose, Échap annule.
blockers-board-help = Rangées A à I depuis le haut, colonnes 1 à 9 depuis la gauche. Une case vide montre entre parenthèses le symbole de sa région.
blockers-rack = Votre chevalet
blockers-players = Joueurs
blockers-colours = Couleurs
blockers-points = Points
blockers-groups-head = Groupes
blockers-captures-head = Captures
blockers-groups =
    { $count ->
        [one] groupe
       *[other] groupes
    }
blockers-captured =
    { $count ->
        [one] capture
       *[other] captures
    }
blockers-counts = compte
blockers-in-pile = en pioche
blockers-pile-of = { $colour } { $count }
blockers-discards = Défausse :
blockers-seen = Vu chez { $name } :
blockers-nothing = rien
blockers-colour-groups = { $colour } : { $groups }
blockers-targets = { $tile } peut aller en : { $free }. Captures possibles : { $captures }.
blockers-last = Dernière tuile : { $tile } en { $cell }

blockers-joker = joker
blockers-colour =
    { $colour ->
        [b]
            { $symbol ->
                [star] bleue
                [moon] bleue
                [drop] bleue
               *[other] bleu
            }
        [y] jaune
        [g]
            { $symbol ->
                [star] verte
                [moon] verte
                [drop] verte
               *[other] vert
            }
        [r] rouge
       *[k]
            { $symbol ->
                [star] noire
                [moon] noire
                [drop] noire
               *[other] noir
            }
    }
blockers-tile = { $face } { blockers-colour }
blockers-the-tile =
    { $symbol ->
        [star] l’{ $tile }
        [moon] la { $tile }
        [drop] la { $tile }
       *[other] le { $tile }
    }
blockers-where-column = colonne { $face }
blockers-where-row = rangée { $face }
blockers-where-region = région { $symbol }
blockers-where-any = toutes les cases

blockers-take = Capturer
blockers-discard = Défausser
blockers-choose = Choisissez une tuile
blockers-choose-cell = Choisissez une case allumée
blockers-choose-capture = Choisissez une tuile à capturer
blockers-choose-both = Choisissez une case allumée, ou une tuile à capturer
blockers-choose-fit = Quelle tuile en { $cell } ?
blockers-choose-discard = Choisissez la tuile à défausser
blockers-choose-marked = Choisissez maintenant une des tuiles marquées pour { $cell }.
blockers-effect = Groupes : { $before } → { $after } · points : { $points } → { $sum }
blockers-chosen = { $tile }. Cases libres : { $free }. Captures : { $captures }.
blockers-free = libre
blockers-can-lay = La tuile peut aller ici.
blockers-can-capture = Capture possible.
blockers-protected = Protégée.
blockers-not-here = Pas en { $cell } : { $tile } va ici : { $where }.
blockers-none-here = Aucune de vos tuiles ne correspond à { $cell }.
blockers-own = Protégée : { $tile } en { $cell } est à vous.
blockers-splits = Protégée : sans { $tile } en { $cell }, son groupe serait coupé en { $parts } morceaux.
blockers-stopped = Votre { $colour } s’arrête : ses quatre dernières tuiles restent sur le chevalet.
blockers-nowhere = Il n’y a pas de case pour { $tile } en ce moment.

blockers-banner-last = Votre dernier tour
blockers-banner-last-other = Dernier tour de { $name }
blockers-banner-last-capture = Votre dernier tour : il faut capturer
blockers-banner-capture = Aucune case libre ne convient : il faut capturer
blockers-banner-discard = Rien ne va nulle part : montrez votre chevalet et défaussez une tuile

blockers-say-laid = { $name } pose { $tile } en { $cell }.
blockers-say-captured = { $name } pose { $tile } en { $cell } et capture { $taken }.
blockers-say-groups =
    { $how ->
        [fewer] Groupes en { $colour } : { $after } au lieu de { $before }.
        [more] Un groupe de plus en { $colour } : { $after }.
       *[same] Groupes en { $colour } : toujours { $after }.
    }
blockers-say-discarded = { $name } ne peut rien poser, montre { $rack }, et défausse { $tile }.
blockers-say-drawn = Vous piochez { $tile }.
blockers-say-scored =
    { $groups ->
        [one] { $name } : { $groups } groupe, { $score } en tout.
       *[other] { $name } : { $groups } groupes, { $score } en tout.
    }
blockers-say-scored-captures =
    { $groups ->
        [one] { $name } : { $groups } groupe et { $captures } captures ({ $colour }, la couleur la plus capturée), { $score } en tout.
       *[other] { $name } : { $groups } groupes et { $captures } captures ({ $colour }, la couleur la plus capturée), { $score } en tout.
    }
blockers-score =
    { $groups ->
        [one] { $score } = { $groups } groupe + { $counted } captures d’une même couleur
       *[other] { $score } = { $groups } groupes + { $counted } captures d’une même couleur
    }
blockers-score-uptown =
    { $groups ->
        [one] { $groups } groupe (captures : { $captures })
       *[other] { $groups } groupes (captures : { $captures })
    }
blockers-move-discarded = défaussée
blockers-move-groups =
    { $count ->
        [one] { $count } groupe
       *[other] { $count } groupes
    }
blockers-no-captures = aucune capture
blockers-because =
    { $counted ->
        [0] Le plus petit total gagne : { $first } contre { $second }.
       *[other] { $groups } groupes et { $counted } captures d’une même couleur : { $first } points contre { $second } ; le plus petit total gagne.
    }
blockers-because-tie = Totaux égaux ({ $same }) : moins de captures décide, { $first } contre { $second }.
blockers-graph = Points : le moins gagne

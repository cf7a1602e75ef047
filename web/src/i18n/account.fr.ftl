# La page du compte.

account-text = Pas besoin de compte pour jouer. Avec un compte, vous retrouvez vos parties sur tous vos appareils : connectez-vous, et continuez.
account-which = Avez-vous un compte ?
account-have = Oui, me connecter
account-make = Non, en créer un
account-name = Nom
account-password = Mot de passe
account-old-password = Mot de passe actuel
account-new-password = Nouveau mot de passe
account-show = Montrer
account-hide = Cacher
account-show-it = Montrer : { $what }
account-hide-it = Cacher : { $what }
account-no-mail = Nous ne demandons pas d’adresse e-mail : personne ne pourra vous renvoyer un mot de passe oublié. Gardez-le bien.
account-log-in = Se connecter
account-make-it = Créer le compte
account-hello = Vous êtes connecté, { $name }.
account-name-short = Un nom a de { $least } à { $most } lettres.
account-password-short = Un mot de passe a au moins { $least } caractères.
account-log-out = Se déconnecter
account-left = Vous êtes déconnecté. Les parties de votre compte ne sont plus sur cet appareil.
account-guest-title = Ces parties sont-elles à vous ?
account-guest-text = Ces parties ont été jouées sur cet appareil sans compte. Laissez cochées celles qui étaient les vôtres.
account-guest-seat = { $game }, sous le nom de { $name }
account-claim =
    { $count ->
        [0] N’en ajouter aucune
        [one] Ajouter cette partie
       *[other] Ajouter ces { $count } parties
    }
account-claimed =
    { $count ->
        [0] Aucune partie n’a été ajoutée à votre compte.
        [one] Une partie est maintenant dans votre compte.
       *[other] { $count } parties sont maintenant dans votre compte.
    }
account-here-title = Jouées sans le serveur
account-here-text = Ces parties ne sont enregistrées que dans ce navigateur. Ajoutez-les pour les retrouver sur tous vos appareils.
account-no-games = Pas encore de partie. Celles que vous jouerez seront ici.
account-change = Changer le mot de passe
account-change-text = Tous vos autres appareils seront déconnectés.
account-changed = Le mot de passe est changé. Tous vos autres appareils sont déconnectés.
account-delete = Supprimer le compte
account-delete-text = Votre nom et votre mot de passe sont effacés, ainsi que votre nom dans toutes les parties de ce compte. Les parties restent à ceux qui les ont jouées avec vous, sans votre nom. On ne peut pas revenir en arrière.
account-delete-sure = Supprimer pour toujours
account-deleted = Le compte est supprimé, et votre nom dans ses parties.
account-wrong-password = Ce n’est pas votre mot de passe.
rule-wrong-password = Ce nom et ce mot de passe ne vont pas ensemble.
rule-weak-password = Ce mot de passe est parmi les premiers que l’on devinerait. Choisissez-en un autre.
rule-name-taken = Quelqu’un porte déjà ce nom. Choisissez-en un autre.
rule-bad-login = Cela ne peut pas être un nom. Choisissez-en un de { $expected } lettres au plus.
rule-unfinished-record = Cette partie n’est pas finie.
rule-games-handed = Votre compte contient { $expected } parties jouées sans le serveur. Il ne peut pas en recevoir d’autres.
rule-not-logged-in = Vous n’êtes plus connecté. Rechargez cette page.

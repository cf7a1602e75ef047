# The account page.

account-text = You need no account to play. With one, you find your games on every device: log in there and continue.
account-which = Do you have an account?
account-have = Yes, log in
account-make = No, create one
account-name = Name
account-password = Password
account-old-password = Current password
account-new-password = New password
account-show = Show
account-hide = Hide
account-show-it = Show: { $what }
account-hide-it = Hide: { $what }
account-no-mail = We ask for no e-mail address, so nobody can send you a forgotten password. Keep it safe.
account-log-in = Log in
account-make-it = Create the account
account-hello = You are logged in, { $name }.
account-name-short = A name has { $least } to { $most } letters.
account-password-short = A password has at least { $least } characters.
account-log-out = Log out
account-left = You are logged out. The games of your account are not on this device any more.
account-guest-title = Were these yours?
account-guest-text = These games were played on this device without an account. Leave your own ticked.
account-guest-seat = { $game }, as { $name }
account-claim =
    { $count ->
        [0] Add none
        [one] Add one game
       *[other] Add { $count } games
    }
account-claimed =
    { $count ->
        [0] No game was added to your account.
        [one] One game is now in your account.
       *[other] { $count } games are now in your account.
    }
account-here-title = Played without the server
account-here-text = These games are stored in this browser only. Add them, and you find them on every device.
account-no-games = No games yet. Those that you play from now on will appear here.
account-change = Change the password
account-change-text = This logs out all your other devices.
account-changed = The password is changed. All other devices are logged out.
account-delete = Delete the account
account-delete-text = Your name and password are erased, and your name in all games of this account. The games themselves stay for those who played them with you, without your name. This cannot be undone.
account-delete-sure = Delete it for good
account-deleted = The account is deleted, and your name in its games.
account-wrong-password = This is not your password.
rule-wrong-password = Name and password do not match.
rule-weak-password = This password is among the first that others would guess. Choose another one.
rule-name-taken = Somebody has this name already. Choose another one.
rule-bad-login = This cannot be a name. Choose one of at most { $expected } letters.
rule-unfinished-record = This game is not over yet.
rule-games-handed = Your account holds { $expected } games that were played without the server. It can take no more of them.
rule-not-logged-in = You are no longer logged in. Reload this page.

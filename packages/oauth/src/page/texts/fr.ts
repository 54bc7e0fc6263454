import type { PageTexts } from './en.ts'

const daysOf = (count: number): string => `${count} ${count === 1 ? 'jour' : 'jours'}`

export const fr: PageTexts = {
  signIn: 'connexion',
  languages: 'Langues',
  allow: application => `Autoriser ${application}`,
  question: (application, oracle) => `Autoriser ${application} à agir pour vous auprès de ${oracle} ?`,
  application: {
    device: 'l’appareil dont vous avez saisi le code',
    console: 'la console',
    at: host => `l’application à l’adresse ${host}`,
    local: host => `un programme local (${host})`,
    app: protocol => `l’application ${protocol}`,
  },
  facts: {
    callsItself: 'Se nomme',
    notVerified: '(non vérifié)',
    describedAt: 'Décrite à',
    returnsTo: 'Retourne à',
    learns: 'Apprend',
    yourDid: 'votre DID',
    onlyAt: 'Seulement à',
    begunIn: 'Commencé dans',
    at: 'à l’adresse',
    near: 'dans le réseau de ce téléphone',
    far: 'dans un autre réseau que ce téléphone',
  },
  needsScript: 'La connexion nécessite JavaScript, car ce navigateur détient votre clé.',
  itMay: 'Elle peut',
  itMayFor: days => `Pendant ${daysOf(days)}, elle peut`,
  duration: 'Pendant',
  days: daysOf,
  byKey: 'Se connecter avec ce navigateur',
  withBrowserKey: 'Autoriser avec la clé de ce navigateur',
  withPhoneKey: 'Autoriser avec la clé de ce téléphone',
  delegation: 'Délégation',
  delegationNeeded: 'Cet oracle exige une délégation pour le DID ci-dessus. Collez-la ici.',
  delegationOptional: 'Seulement si cet oracle en exige une.',
  byPhone: 'Ou se connecter avec votre téléphone',
  byPhoneNote: days =>
    `Votre téléphone signe avec sa clé, et cette page continue. Par téléphone, l’application reçoit des droits nommés au lieu de « tout », pas celui de créer des clés d’API, et au plus ${daysOf(days)}.`,
  showQr: 'Afficher un code QR',
  qr: 'Code QR de cette adresse',
  scan: 'Scannez-le avec le téléphone, ou ouvrez-y cette adresse :',
  thisAddress: 'cette adresse',
  typeNumber: 'Saisissez ensuite ce nombre sur le téléphone :',
  byCode: 'Ou utiliser un code à usage unique',
  codeFrom: 'Un code de l’opérateur :',
  withCode: 'Autoriser avec le code',
  deny: 'Refuser',
  otherScreen: 'Ceci donne vos droits à un autre écran. Si quelqu’un vous a envoyé ce lien, fermez la page.',
  numberOnScreen: 'Le nombre affiché sur votre propre écran',
  phoneDone: 'C’est fait. Continuez sur l’autre écran, et fermez cette page.',
  device: {
    title: 'Connecter un appareil',
    heading: 'Saisissez le code que montre votre appareil',
    warning:
      'Saisissez seulement le code d’un programme que vous avez lancé vous-même. Une personne qui vous envoie un code obtient l’accès à vos données.',
    code: 'Code',
    next: 'Continuer',
    allowed: { title: 'Votre appareil est connecté', text: 'Fermez cette page, et continuez sur l’appareil.' },
    denied: { title: 'Votre appareil n’a pas accès', text: 'Il peut demander l’accès à nouveau.' },
    expired: { title: 'Votre appareil n’a pas accès', text: 'Le code a expiré. Recommencez sur l’appareil.' },
    tooMany: 'Trop de codes ont été essayés. Attendez une minute, puis réessayez.',
    wrong: 'Ce code est faux ou expiré. Recommencez sur l’appareil.',
  },
  failed: {
    title: 'Échec de la connexion',
    heading: 'Cette connexion ne peut pas continuer',
    note: 'Aucun accès n’a été donné. Fermez cette page, et recommencez dans l’application.',
  },
  script: {
    rejected: 'L’oracle a refusé la connexion.',
    delegation: 'La délégation ne permet pas de se connecter ici. Il lui faut auth/token pour cet oracle.',
    choose: 'Choisissez ce que l’application peut faire, ou fermez cette page.',
    enterCode: 'Saisissez le code.',
    youAre: 'Vous êtes',
  },
  problems: {
    sign_in_expired:
      'Cette connexion a expiré, est terminée ou appartient à un autre navigateur. Recommencez dans l’application.',
    sign_in_code_invalid: 'Le code est faux, expiré ou déjà utilisé. Demandez-en un nouveau à l’opérateur.',
    sign_in_attempts: 'Trop de codes ou de nombres faux. Recommencez dans l’application.',
    sign_in_number_wrong:
      'Ce n’est pas le nombre du premier écran. Si vous n’avez pas un tel écran, fermez cette page.',
    sign_in_not_by_phone:
      'Un téléphone ne donne aucun des droits choisis. Choisissez-en d’autres, ou connectez-vous avec ce navigateur.',
    sign_in_redirect_refused:
      'L’application retourne à une adresse que cet oracle n’accepte plus. Mettez-la à jour, et connectez-la à nouveau.',
    sign_in_scopes_missing:
      'Vous n’avez aucun des droits choisis. Choisissez-en d’autres, ou utilisez une délégation qui les donne.',
    sign_ins_full: 'L’oracle a atteint son nombre maximal de connexions. Réessayez plus tard.',
    rate_limited: 'Trop de requêtes. Attendez une minute, puis réessayez.',
  },
  everythingWith: area => `Tout avec : ${area}`,
  scopes: {
    '*': 'Tout ce que vous pouvez faire ici',
    'chat/send':
      'Envoyer des messages en votre nom, lire, suivre et arrêter les réponses, les faire annoncer à une adresse, approuver ou refuser des appels d’outils, et utiliser ' +
      'les outils sans autre droit, comme les pages web, le code, les compétences et la météo',
    'chat/personal':
      'Utiliser vos données personnelles dans les conversations : lire et modifier vos fichiers, votre mémoire, vos tâches et vos préférences, lire vos crédits, déclarations, ' +
      'entités, salons Matrix et résultats de code, soumettre et contester des déclarations, lire et envoyer des SMS de vos propres téléphones',
    'session/read':
      'Lire vos conversations avec leurs réponses et durées, vos approbations en attente, votre usage de jetons, et ce que l’oracle sait faire',
    'session/inspect': 'Lire ce que le modèle reçoit dans vos conversations',
    'session/delete': 'Supprimer vos conversations et les réponses enregistrées',
    'files/read': 'Lire et chercher vos fichiers, et leurs versions antérieures',
    'files/write': 'Ajouter, modifier, restaurer et supprimer vos fichiers, aussi définitivement',
    'memory/read': 'Lire et exporter ce que l’oracle retient de vous',
    'memory/write': 'Ajouter à ce que l’oracle retient de vous',
    'memory/delete': 'Supprimer ce que l’oracle retient de vous',
    'tasks/read': 'Lire et prévisualiser vos tâches, et lire leurs exécutions',
    'tasks/write': 'Créer, exécuter, suspendre, reprendre et annuler vos tâches',
    'user-preferences/read': 'Lire vos préférences, comme la langue et le fuseau horaire',
    'user-preferences/write': 'Modifier vos préférences, comme la langue et le fuseau horaire',
    'credits/read': 'Lire votre crédit, votre usage et les prix',
    'sandbox/read': 'Lire les résultats enregistrés de vos programmes',
    'sms/read': 'Lire vos SMS, et lister vos téléphones liés',
    'sms/link': 'Vous lier des téléphones par un code, et les retirer',
    'sms/send': 'Envoyer des SMS à vos propres téléphones',
    'sms/send-others': 'Envoyer des SMS à n’importe quel téléphone',
    'matrix/read': 'Lister les salons Matrix où l’oracle peut écrire pour vous',
    'matrix/send': 'Écrire dans des salons Matrix en votre nom',
    'claims/read': 'Lire des déclarations, et leurs collections',
    'claims/submit': 'Soumettre des déclarations en votre nom, et contester les décisions à leur sujet',
    'claims/evaluate':
      'Évaluer des déclarations, confirmer ou renverser des verdicts, et clore des contestations ; une déclaration approuvée devient une attestation',
    'claims/manage': 'Créer, modifier, fermer et ouvrir des collections de déclarations',
    'credentials/read': 'Lire des attestations, avec l’historique de leur état',
    'credentials/issue': 'Émettre des attestations que l’oracle signe',
    'credentials/revoke': 'Révoquer des attestations définitivement, les suspendre et les rétablir',
    'entities/read':
      'Lire et chercher des entités, leur historique, leurs protocoles, leur graphe et leurs changements, et lister vos webhooks',
    'entities/write':
      'Enregistrer, modifier, relier et désactiver des entités en votre nom, ajouter et supprimer des webhooks',
    'delegation/read': 'Lister vos délégations à l’oracle',
    'delegation/keep': 'Ajouter des délégations, pour que l’oracle agisse pour vous auprès d’autres services',
    'delegation/delete': 'Retirer vos délégations à l’oracle',
    'sign-in/read': 'Lister les applications qui agissent pour vous',
    'sign-in/delete': 'Mettre fin à l’accès d’applications qui agissent pour vous',
    'api-key/read': 'Lister vos clés d’API',
    'api-key/delete': 'Révoquer vos clés d’API',
    'api-key/create': 'Créer des clés d’API qui agissent en votre nom, même après la fin de cette connexion',
    'me/export': 'Exporter toutes vos données',
    'me/erase': 'Effacer définitivement toutes vos données',
    'operator/read':
      'Comme opérateur, lire l’état, les travaux, les messages en attente, le journal, les métriques, les alertes, les tours et l’usage de jetons de cet oracle, ce qu’il sait faire, ses ' +
      'menus téléphoniques et serveurs MCP ; trouver tous les utilisateurs et exporter leurs données ; lire leurs approbations en attente, clés d’API, connexions, délégations et ' +
      'révocations, tâches, SMS et crédits',
    'operator/write':
      'Comme opérateur, se connecter en tant que tout utilisateur par un code à usage unique, créer et révoquer des clés d’API, mettre fin à des connexions et révoquer des délégations, effacer des utilisateurs, les garder de l’effacement, accorder ' +
      'des crédits, envoyer des alertes à une adresse, à votre téléphone ou à un salon, répéter et annuler des travaux et des messages, comparer des modèles, simuler un SMS, ' +
      'reconnecter des serveurs MCP, et confirmer leurs outils modifiés',
  },
}

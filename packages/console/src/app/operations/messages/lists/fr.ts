export const sms = {
  title: 'SMS',
  description: 'SMS sortants. Ceux qui ont échoué ces deux derniers jours peuvent être renvoyés.',
  message: 'Destinataire et texte',
  secret: 'Un texte secret, qui n’est pas affiché',
  empty: 'Aucun SMS dans cet état',
}

export const credits = {
  title: 'Crédits',
  description: 'Ce qui a été dépensé, par jours UTC.',
  ledger: 'Registre en CSV',
  group: 'Total par',
  by: { person: 'Personne', day: 'Jour', model: 'Modèle', tool: 'Outil' },
  period: 'Période',
  periods: { today: 'Aujourd’hui', yesterday: 'Hier', week: '7 jours', month: '30 jours' },
  columns: { credits: 'Crédits', turns: 'Échanges', tokens: 'Jetons' },
  empty: 'Rien n’a été dépensé sur cette période',
  toolNote: 'Appels aux prix du jour ; sans les échanges ni les jetons.',
  partial: 'Seules les plus grandes sommes sont affichées. Choisissez une période plus courte.',
}

export const sms = {
  title: 'SMS',
  description: 'SMS zinazotumwa. Zilizoshindwa katika siku mbili zilizopita zinaweza kutumwa tena.',
  message: 'Mpokeaji na maandishi',
  secret: 'Maandishi ya siri, hayaonyeshwi',
  empty: 'Hakuna SMS katika hali hii',
}

export const credits = {
  title: 'Salio',
  description: 'Kilichotumika, kwa siku za UTC.',
  ledger: 'Leja kama CSV',
  group: 'Jumla kwa',
  by: { person: 'Mtu', day: 'Siku', model: 'Modeli', tool: 'Zana' },
  period: 'Kipindi',
  periods: { today: 'Leo', yesterday: 'Jana', week: 'Siku 7', month: 'Siku 30' },
  columns: { credits: 'Salio', turns: 'Mazungumzo', tokens: 'Tokeni' },
  empty: 'Hakuna kilichotumika katika kipindi hiki',
  toolNote: 'Miito kwa bei za leo; bila mazungumzo na tokeni.',
  partial: 'Ni jumla kubwa tu zinazoonyeshwa. Chagua kipindi kifupi.',
}

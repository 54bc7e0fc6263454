/** Requests whose speed counts: a name and its path; `{did}` stands for an entity's DID. */
export const hotRequests: Readonly<Record<string, string>> = {
  'one entity': '/v1/entities/{did}',
  'one as it was': '/v1/entities/{did}?at=2999-01-01T00:00:00Z',
  'first page': '/v1/entities',
  'half of all': '/v1/entities?property.fuel=wood',
  'one in 100,000': '/v1/entities?property.fuel=hydrogen',
  'one serial': '/v1/entities?property.serial=SN-00000003',
  'five filters':
    '/v1/entities?type=CookStove&status=active&property.fuel=lpg&property.region=region%207&property.lit=true',
  'two halves, never both': '/v1/entities?property.lit=true&property.mobile=true',
  'changed since long ago': '/v1/entities?updatedSince=2020-01-01T00:00:00Z&property.fuel=wood',
  'changed since now': '/v1/entities?updatedSince=2999-01-01T00:00:00Z',
  'search, words of all': '/v1/search?q=cook+stove+wood',
  'search, one serial': '/v1/search?q=SN-00000003',
  'places, the world': '/v1/places?bbox=-180,-90,180,90',
  'places, a country': '/v1/places?bbox=33.9,-4.7,41.9,5.5',
  'places, a town': '/v1/places?bbox=36.8,-1.3,36.9,-1.2',
  'graph, depth 4': '/v1/graph?from={did}&depth=4&direction=both',
}

/** States and nations by GeoNames code, for large countries where many places share a name. */
const regions: Partial<Record<string, Record<string, string>>> = {
  AU: {
    ...{ '01': 'Australian Capital Territory', '02': 'New South Wales', '03': 'Northern Territory' },
    ...{ '04': 'Queensland', '05': 'South Australia', '06': 'Tasmania', '07': 'Victoria', '08': 'Western Australia' },
  },
  CA: {
    ...{ '01': 'Alberta', '02': 'British Columbia', '03': 'Manitoba', '04': 'New Brunswick' },
    ...{ '05': 'Newfoundland and Labrador', '07': 'Nova Scotia', '08': 'Ontario', '09': 'Prince Edward Island' },
    ...{ '10': 'Quebec', '11': 'Saskatchewan', '12': 'Yukon', '13': 'Northwest Territories', '14': 'Nunavut' },
  },
  DE: {
    ...{ '01': 'Baden-Württemberg', '02': 'Bavaria', '03': 'Bremen', '04': 'Hamburg', '05': 'Hesse' },
    ...{ '06': 'Lower Saxony', '07': 'North Rhine-Westphalia', '08': 'Rhineland-Palatinate', '09': 'Saarland' },
    ...{ '10': 'Schleswig-Holstein', '11': 'Brandenburg', '12': 'Mecklenburg-Western Pomerania', '13': 'Saxony' },
    ...{ '14': 'Saxony-Anhalt', '15': 'Thuringia', '16': 'Berlin' },
  },
  GB: { ENG: 'England', NIR: 'Northern Ireland', SCT: 'Scotland', WLS: 'Wales' },
  US: {
    ...{ AK: 'Alaska', AL: 'Alabama', AR: 'Arkansas', AZ: 'Arizona', CA: 'California', CO: 'Colorado' },
    ...{ CT: 'Connecticut', DC: 'District of Columbia', DE: 'Delaware', FL: 'Florida', GA: 'Georgia', HI: 'Hawaii' },
    ...{ IA: 'Iowa', ID: 'Idaho', IL: 'Illinois', IN: 'Indiana', KS: 'Kansas', KY: 'Kentucky', LA: 'Louisiana' },
    ...{ MA: 'Massachusetts', MD: 'Maryland', ME: 'Maine', MI: 'Michigan', MN: 'Minnesota', MO: 'Missouri' },
    ...{ MS: 'Mississippi', MT: 'Montana', NC: 'North Carolina', ND: 'North Dakota', NE: 'Nebraska' },
    ...{ NH: 'New Hampshire', NJ: 'New Jersey', NM: 'New Mexico', NV: 'Nevada', NY: 'New York', OH: 'Ohio' },
    ...{ OK: 'Oklahoma', OR: 'Oregon', PA: 'Pennsylvania', RI: 'Rhode Island', SC: 'South Carolina' },
    ...{ SD: 'South Dakota', TN: 'Tennessee', TX: 'Texas', UT: 'Utah', VA: 'Virginia', VT: 'Vermont' },
    ...{ WA: 'Washington', WI: 'Wisconsin', WV: 'West Virginia', WY: 'Wyoming' },
  },
}

export const regionOf = (country: string, code: string): string | undefined => regions[country]?.[code]

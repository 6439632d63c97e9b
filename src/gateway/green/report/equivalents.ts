export interface EquivalentsProfile {
  readonly name: string;
  /** Grams per kilometre, a full charge, a day of one tree, a search, an hour. */
  readonly carKm: number;
  readonly phoneCharge: number;
  readonly treeDay: number;
  readonly webSearch: number;
  readonly streamingHour: number;
}

const CLASSIC: EquivalentsProfile = {
  name: 'classic',
  carKm: 120,
  phoneCharge: 10,
  treeDay: 48,
  webSearch: 0.2,
  streamingHour: 36,
};

/** Factors of everyday comparisons; what a profile does not state it takes from `classic`. */
export const EQUIVALENTS_PROFILES: Readonly<Record<string, EquivalentsProfile>> = {
  classic: CLASSIC,
  'epa-2026': { ...CLASSIC, name: 'epa-2026', carKm: 244, phoneCharge: 12.4, treeDay: 16.4 },
  eu: { ...CLASSIC, name: 'eu', carKm: 142 },
};

export interface Equivalents {
  readonly carKm: number;
  readonly phoneCharges: number;
  readonly treeDays: number;
  readonly webSearches: number;
  readonly streamingHours: number;
  readonly profile: string;
}

/** Expresses a mass of CO2e in everyday terms. */
export function equivalentsOf(grams: number, profileName: string): Equivalents {
  const profile = EQUIVALENTS_PROFILES[profileName] ?? CLASSIC;
  return {
    carKm: grams / profile.carKm,
    phoneCharges: Math.round(grams / profile.phoneCharge),
    treeDays: grams / profile.treeDay,
    webSearches: Math.round(grams / profile.webSearch),
    streamingHours: grams / profile.streamingHour,
    profile: profile.name,
  };
}

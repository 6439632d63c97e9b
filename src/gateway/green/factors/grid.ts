/** Carbon intensity of the grid by country and the country of each cloud region. */
export interface GridTable {
  readonly source: Readonly<Record<string, string>>;
  /** ISO 3166-1 alpha-3 → [g CO2e per kWh, year]. */
  readonly countries: Readonly<Record<string, readonly [number, number]>>;
  /** Cloud region → country. */
  readonly regionCountry: ReadonlyMap<string, string>;
}

interface GridFile {
  readonly source: Readonly<Record<string, string>>;
  readonly countries: Readonly<Record<string, readonly [number, number]>>;
  readonly regions: Readonly<Record<string, readonly string[]>>;
}

/** Reads `config/green-grid.yaml`. */
export function parseGrid(file: unknown): GridTable {
  const { source, countries, regions } = file as GridFile;
  const regionCountry = new Map<string, string>();
  for (const [country, names] of Object.entries(regions)) for (const name of names) regionCountry.set(name, country);
  return { source, countries, regionCountry };
}

/** Returns the g/kWh of a cloud region, or of a country code (alpha-3); undefined where it is not known. */
export function gridOf(table: GridTable, region: string | undefined): number | undefined {
  if (region === undefined) return undefined;
  // A zone (`us-central1-a`, `eu-west-1b`) lies in its region.
  const name = region.trim().toLowerCase();
  const zone = name.replace(/(\d)-?[a-f]$/, '$1');
  const country = table.regionCountry.get(name) ?? table.regionCountry.get(zone) ?? name.toUpperCase();
  return Object.hasOwn(table.countries, country) ? table.countries[country]![0] : undefined;
}

/** Returns the cloud region that a server's host name holds, such as `bedrock-runtime.eu-west-1.amazonaws.com`. */
export function regionOfHost(table: GridTable, host: string): string | undefined {
  for (const label of host.toLowerCase().split('.')) {
    if (table.regionCountry.has(label)) return label;
    // `us-central1-aiplatform.googleapis.com`
    for (let end = label.lastIndexOf('-'); end > 0; end = label.lastIndexOf('-', end - 1)) {
      if (table.regionCountry.has(label.slice(0, end))) return label.slice(0, end);
    }
  }
  return undefined;
}

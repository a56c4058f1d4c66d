import pg from 'pg';

const template = 'tocsin_template';

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const inDatabase = (clusterUrl: string, name: string) => clusterUrl.replace(/\/[^/]*$/, `/${name}`);

export async function makeTemplate(clusterUrl: string): Promise<void> {
  await run(clusterUrl, `create database ${template}`);
  // Loaded here only: each file of scenarios would load the whole server otherwise, and none of them makes a template.
  const { migrate } = await import('@tocsin/server/testing');
  await migrate(inDatabase(clusterUrl, template), { allowSuperuser: true });
}

/** A migrated database without any tenant. */
export async function createDatabase(
  clusterUrl: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `plant_${crypto.randomUUID().replaceAll('-', '')}`;
  await run(clusterUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: inDatabase(clusterUrl, name),
    drop: () => run(clusterUrl, `drop database ${name} with (force)`),
  };
}

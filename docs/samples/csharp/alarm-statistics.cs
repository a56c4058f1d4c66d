// GET /api/v1/alarms/statistics: how often each tag failed, and for how long.
using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;

static class AlarmStatistics
{
    static void Main()
    {
        Run().GetAwaiter().GetResult();
    }

    static async Task Run()
    {
        var url = Environment.GetEnvironmentVariable("TOCSIN_URL");
        var token = Environment.GetEnvironmentVariable("TOCSIN_TOKEN");
        using (var client = new HttpClient())
        {
            client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
            var answer = await client.GetAsync(url + "/api/v1/alarms/statistics?from=2026-01-01&to=2027-01-01&limit=20");
            answer.EnsureSuccessStatusCode();
            Console.WriteLine(await answer.Content.ReadAsStringAsync());
        }
    }
}

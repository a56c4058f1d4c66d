// GET /api/v1/callgroupgroupings: the groupings of call groups.
using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;

static class ListGroupings
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
            var answer = await client.GetAsync(url + "/api/v1/callgroupgroupings?limit=100");
            answer.EnsureSuccessStatusCode();
            Console.WriteLine(await answer.Content.ReadAsStringAsync());
        }
    }
}

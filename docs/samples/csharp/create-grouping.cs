// POST /api/v1/callgroupgroupings: creates a grouping; the answer is its identifier.
using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;

static class CreateGrouping
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
            var json = @"{""name"": ""Operation"", ""callGroupIds"": [1]}";
            var body = new StringContent(json, Encoding.UTF8, "application/json");
            var answer = await client.PostAsync(url + "/api/v1/callgroupgroupings", body);
            answer.EnsureSuccessStatusCode();
            Console.WriteLine(await answer.Content.ReadAsStringAsync());
        }
    }
}
